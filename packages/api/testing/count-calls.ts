/**
 * Counts calls of JavaScript functions with V8's coverage. Unlike the time in milliseconds, the count does not depend on the
 * machine or its load. Loops, regular expressions and built-in functions do not count.
 */
import { Session, type Profiler } from 'node:inspector';

export interface CallCounter {
  /** The calls since the last request, of functions in files whose path contains `path`. */
  calls: (path?: string) => number;
  stop: () => void;
}

/** Starting and stopping is slow, so use one counter for each test file. */
export function countCalls(): CallCounter {
  const session = new Session();
  session.connect();
  session.post('Profiler.enable');
  session.post('Profiler.startPreciseCoverage', { callCount: true, detailed: false });
  return {
    calls(path = '') {
      let scripts: Profiler.ScriptCoverage[] = [];
      // The callback runs before `post` returns.
      session.post('Profiler.takePreciseCoverage', (_error, { result }) => (scripts = result));
      let sum = 0;
      // Loops, because array methods would add calls to the next count.
      for (const { url, functions } of scripts) {
        if (url.includes(path)) for (const { ranges } of functions) sum += ranges[0]?.count ?? 0;
      }
      return sum;
    },
    stop: () => session.disconnect(),
  };
}
