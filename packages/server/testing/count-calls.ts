/**
 * Counts the calls of JavaScript functions, as V8 does for coverage. Unlike milliseconds, the count is the same on every machine,
 * however busy it is. Loops, regular expressions and the engine's own functions count as nothing.
 */
import { Session, type Profiler } from 'node:inspector';

export interface CallCounter {
  /** The calls since it was last asked, of functions in files with this in their path. */
  calls: (path?: string) => number;
  stop: () => void;
}

/** Starting and stopping takes longer than most of what is counted: a test file needs one counter. */
export function countCalls(): CallCounter {
  const session = new Session();
  session.connect();
  session.post('Profiler.enable');
  session.post('Profiler.startPreciseCoverage', { callCount: true, detailed: false });
  return {
    calls(path = '') {
      let scripts: Profiler.ScriptCoverage[] = [];
      // The answer is there before `post` returns.
      session.post('Profiler.takePreciseCoverage', (_error, { result }) => (scripts = result));
      let sum = 0;
      // In loops, which call nothing that would be counted the next time.
      for (const { url, functions } of scripts) {
        if (url.includes(path)) for (const { ranges } of functions) sum += ranges[0]?.count ?? 0;
      }
      return sum;
    },
    stop: () => session.disconnect(),
  };
}
