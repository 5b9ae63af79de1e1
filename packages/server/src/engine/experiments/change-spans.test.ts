import { expect, it, onTestFinished } from 'vitest';
import { startTraceCollector } from '../../../testing/counterparts/trace-collector.ts';
import { readConfig } from '../../config.ts';
import type { WriteOutcome } from '../../store/experiments/change/write-change.ts';
import type { MoveInputs } from '../../store/experiments/move-inputs.ts';
import { createTracing } from '../../tracing/open-telemetry.ts';
import { inChangeSpans } from './change-spans.ts';

it('the span of a change that was not written is failed, and says why', async () => {
  const collector = await startTraceCollector();
  onTestFinished(collector.stop);
  const settings = {
    DATABASE_URL: 'postgresql://nobody@localhost:1/none',
    OTEL_EXPORTER_OTLP_ENDPOINT: collector.endpoint,
  };
  const config = readConfig(settings).tracing;
  if (!config) throw new Error('Traces are off.');
  const tracing = createTracing(config, { kind: 'worker', log: { warn: () => undefined, info: () => undefined } });
  const planned = [1, 2, 3].map((id) => ({
    trace: tracing.contextOf(),
    snapshot: { inputs: { id, workflow_id: 1, state_label: 'run' } as MoveInputs },
    change: {},
  }));
  const outcomes = new Map<number, WriteOutcome>([
    [1, { actionId: 7 }],
    [2, 'locked'],
  ]);
  const write = () => Promise.resolve(outcomes);
  expect(await inChangeSpans(planned, write, (written, id) => written.get(id))).toBe(outcomes);
  await tracing.stop();
  const seen = collector.spans.map(({ attributes, failed }) => [
    attributes['milepost.experiment.id'],
    failed,
    attributes['error.type'],
  ]);
  expect(seen.toSorted(([one], [other]) => Number(one) - Number(other))).toEqual([
    [1, false, undefined],
    [2, true, 'locked'],
    [3, true, 'conflict'],
  ]);
});
