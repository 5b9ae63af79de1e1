/** Starts sending traces, if the settings name a collector. Otherwise, nothing of OpenTelemetry's SDK is loaded. */
import type { TracingSettings } from '../config/tracing.ts';
import type { StartedParts } from '../started-parts.ts';
import type { TracedProcess, Tracing } from './span.ts';

export async function startTracing(
  settings: TracingSettings | undefined,
  traced: TracedProcess,
  started: StartedParts,
): Promise<Tracing | undefined> {
  if (!settings) return undefined;
  const { createTracing } = await import('./open-telemetry.ts');
  const tracing = createTracing(settings, traced);
  started.push(tracing.stop);
  return tracing;
}
