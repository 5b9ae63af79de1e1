/**
 * A web server that callbacks of the function http call: it notes each run by execution and attempt, leaves first
 * attempts without an answer until it is told to answer them, and answers later ones at once with their number.
 */
import { sendJson, startWebServer } from './web-server.ts';

export interface RecordedRun {
  executionId: number;
  attempt: number;
  /** By `performance.now()`. */
  at: number;
  answer: () => void;
}

export async function startRunRecorder() {
  const runs: RecordedRun[] = [];
  const server = await startWebServer((request, response) => {
    const mark = (name: string) => Number(request.headers[`x-milepost-${name}`]);
    const attempt = mark('attempt');
    const answer = () => sendJson(response, 200, { attempt });
    request.resume();
    runs.push({ executionId: mark('execution'), attempt, at: performance.now(), answer });
    if (attempt > 1) answer();
  });
  return {
    ...server,
    runs,
    runsOf: (executionIds: readonly number[], attempt: number) =>
      runs.filter((run) => run.attempt === attempt && executionIds.includes(run.executionId)),
  };
}

export type RunRecorder = Awaited<ReturnType<typeof startRunRecorder>>;
