/**
 * A web server for callbacks with the function `http`. It records each run by execution and attempt. A first attempt gets a
 * response when the test calls `answer`. Later attempts get a response with their number immediately.
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
    const header = (name: string) => Number(request.headers[`x-milepost-${name}`]);
    const attempt = header('attempt');
    const answer = () => sendJson(response, 200, { attempt });
    request.resume();
    runs.push({ executionId: header('execution'), attempt, at: performance.now(), answer });
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
