/** What would help an experiment that stands still, as one button. */
import type { Overview } from './use-experiment.ts';

export interface Remedy {
  /** `retry` runs again what did not succeed; `evaluate` tries the ways on again. */
  operation: 'retry' | 'evaluate';
  name: string;
}

const longestName = 24;

const didNotSucceed = ({ status, result }: Overview['executions'][number]) =>
  status === 'finished' && result !== 'success';

/** Several are run again together: of those that failed, one alone would leave the experiment where it is. */
function retryName(executions: Overview['executions']): string {
  const failed = executions.filter(didNotSucceed);
  const [first] = failed;
  if (failed.length > 1) return `Retry ${failed.length} callbacks`;
  return first && first.callback.length <= longestName ? `Retry ${first.callback}` : 'Retry';
}

export function remedyFor({ incidents, executions }: Pick<Overview, 'incidents' | 'executions'>): Remedy | undefined {
  const kinds = new Set(incidents.map(({ kind }) => kind));
  if (kinds.has('failed') || kinds.has('timed_out')) return { operation: 'retry', name: retryName(executions) };
  if (kinds.has('no_way_on') || kinds.has('brake')) return { operation: 'evaluate', name: 'Try the ways again' };
  return undefined;
}
