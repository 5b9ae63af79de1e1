/**
 * Sends the rest of the output of a run and its result, and repeats both until the server has answered. The output is appended to the log of
 * the attempt, because the `run_log` of a report would replace the log of the run. The log of a run that has finished is only appended to.
 */
import { ProblemError, type Client } from '@milepost/api/client';
import { setTimeout } from 'node:timers/promises';
import { isFinal } from '../run/final-error.ts';

export interface Report {
  status: 'finished';
  result: 'success' | 'failed';
  result_log?: string;
  result_values?: Record<string, unknown>;
}

interface Sending {
  client: Client;
  executionId: number;
  attempt: number;
  tell: (message: string) => void;
  abandon: AbortSignal;
}

const retryMs = 2000;

export async function sendOutput(log: string, sending: Sending): Promise<void> {
  if (log === '') return;
  const { client, executionId: id, attempt, abandon: signal } = sending;
  const send = async () => {
    const renewed = await client.renewClaim({ params: { execution_id: id }, body: { attempt, log }, signal });
    // The attempt has ended, such as by a report of the program itself, so the server has not stored the output.
    if (!renewed.continue) await client.updateCallbackExecution({ params: { id }, body: { run_log: log }, signal });
  };
  const error = await untilAnswered(send, 'The output', sending);
  if (error && !isStale(error)) sending.tell(`The server rejected the output: ${error.message}`);
}

/**
 * Returns the report that the server accepted. A rejected report is replaced by a failure that says why. Undefined if the run is no longer
 * that of this worker, or is abandoned.
 */
export async function sendReport(report: Report, sending: Sending): Promise<Report | undefined> {
  const error = await sendOnce(report, sending);
  if (error === undefined) return report;
  if (sending.abandon.aborted) return undefined;
  const rejected = (reason: Error) => sending.tell(`The server rejected the result: ${reason.message}`);
  rejected(error);
  if (isStale(error)) return undefined;
  const instead: Report = { status: 'finished', result: 'failed', result_log: error.message };
  const again = await sendOnce(instead, sending);
  if (again === undefined) return instead;
  if (!sending.abandon.aborted) rejected(again);
  return undefined;
}

const sendOnce = (body: Report, sending: Sending) => {
  const { client, executionId: id, abandon: signal } = sending;
  const send = () => client.updateCallbackExecution({ params: { id }, body, signal });
  return untilAnswered(send, 'The result', sending);
};

/** Returns the error of a rejected request. */
async function untilAnswered(
  send: () => Promise<unknown>,
  what: string,
  { executionId, tell, abandon }: Sending,
): Promise<Error | undefined> {
  while (!abandon.aborted) {
    try {
      await send();
      return undefined;
    } catch (error) {
      if (isFinal(error)) return error;
      if (!abandon.aborted) tell(`${what} of run ${executionId} was not sent. Trying again.`);
      await setTimeout(retryMs, undefined, { signal: abandon }).catch(() => undefined);
    }
  }
  return new Error('The run was abandoned.');
}

/** The run was resolved elsewhere, or its secret has expired. */
const isStale = (error: Error) => error instanceof ProblemError && [401, 404, 409].includes(error.status);
