/** The button that can help a stopped experiment. */
import type { Overview } from './use-experiment.ts';

export interface Remedy {
  /** `retry` runs failed callbacks again; `evaluate` checks the conditions again. */
  operation: 'retry' | 'evaluate';
  name: string;
}

const maxNameLength = 24;

const hasFailed = ({ status, result }: Overview['executions'][number]) => status === 'finished' && result !== 'success';

/** Failed callbacks are retried together: retrying only one of them would leave the experiment blocked. */
function retryName(executions: Overview['executions']): string {
  const failed = executions.filter(hasFailed);
  const [first] = failed;
  if (failed.length > 1) return `Retry ${failed.length} callbacks`;
  return first && first.callback.length <= maxNameLength ? `Retry ${first.callback}` : 'Retry';
}

export function remedyFor({ incidents, executions }: Pick<Overview, 'incidents' | 'executions'>): Remedy | undefined {
  const kinds = new Set(incidents.map(({ kind }) => kind));
  if (kinds.has('failed') || kinds.has('timed_out')) return { operation: 'retry', name: retryName(executions) };
  if (kinds.has('no_way_on') || kinds.has('brake')) return { operation: 'evaluate', name: 'Re-evaluate' };
  return undefined;
}
