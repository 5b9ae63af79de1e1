/** Reports the result of a run, and repeats the report until the server has answered. */
import { ProblemError, type Client } from '@milepost/api/client';
import { setTimeout } from 'node:timers/promises';
import { isFinal } from '../run/final-error.ts';

export interface Report {
  status: 'finished';
  result: 'success' | 'failed';
  run_log: string;
  result_log?: string;
  result_values?: Record<string, unknown>;
}

interface Sending {
  client: Client;
  executionId: number;
  tell: (message: string) => void;
  abandon: AbortSignal;
}

const retryMs = 2000;

/**
 * Returns the report that the server accepted. A rejected report is replaced by a failure that says why, and if that is rejected, too, by one
 * without the log. Undefined if the run is no longer that of this worker, or is abandoned.
 */
export async function sendReport(report: Report, sending: Sending): Promise<Report | undefined> {
  let next = report;
  for (const run_log of [report.run_log, '', undefined]) {
    const error = await sendOnce(next, sending);
    if (error === undefined) return next;
    if (sending.abandon.aborted) return undefined;
    sending.tell(`The server rejected the result: ${error.message}`);
    if (run_log === undefined || isStale(error)) return undefined;
    next = { status: 'finished', result: 'failed', run_log, result_log: error.message };
  }
  return undefined;
}

/** Returns the error of a rejected report. */
async function sendOnce(body: Report, { client, executionId, tell, abandon }: Sending): Promise<Error | undefined> {
  while (!abandon.aborted) {
    try {
      await client.updateCallbackExecution({ params: { id: executionId }, body, signal: abandon });
      return undefined;
    } catch (error) {
      if (isFinal(error)) return error;
      if (!abandon.aborted) tell(`The result of run ${executionId} was not reported. Trying again.`);
      await setTimeout(retryMs, undefined, { signal: abandon }).catch(() => undefined);
    }
  }
  return new Error('The run was abandoned.');
}

/** The run was resolved elsewhere, or its secret has expired. */
const isStale = (error: Error) => error instanceof ProblemError && [401, 404, 409].includes(error.status);
