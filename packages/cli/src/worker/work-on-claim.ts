/** Runs the program for a claimed run: renews the lease, sends the log, and reports the result. */
import { bearer, createClient, ProblemError, type Client } from '@milepost/api/client';
import { setTimeout } from 'node:timers/promises';
import type { Environment } from '../run/command.ts';
import { keepOutput, type KeptOutput } from './kept-output.ts';
import { runProgram, type RunningProgram } from './run-program.ts';

export type Claim = Awaited<ReturnType<Client['claimExecutions']>>['claims'][number];

export interface Job {
  baseUrl: string;
  command: string;
  environment: Environment;
  tell: (message: string) => void;
  /** Ends the program without a report, so that another worker gets the run when the lease expires. */
  abandon: AbortSignal;
}

/** Three renewals for each lease, so that one may get lost. */
const renewalsPerLease = 3;
const retryMs = 2000;

export async function workOnClaim(claim: Claim, job: Job): Promise<void> {
  const client = createClient({ baseUrl: job.baseUrl, authorization: bearer(claim.secret) });
  const name = `Run ${claim.execution.id} for ${claim.experiment.label}`;
  const output = keepOutput();
  const { secret: _, ...given } = claim;
  const program = runProgram(job.command, JSON.stringify(given), environmentOf(claim, job.environment), output);
  // Its process group exists now, so a signal to this one does not reach it.
  job.tell(`${name} started.`);
  job.abandon.addEventListener('abort', program.stop, { once: true });
  const isLost = await renewUntilEnd(client, claim, { program, output, tell: job.tell });
  const ended = await program.ended;
  job.abandon.removeEventListener('abort', program.stop);
  if (isLost) return job.tell(`${name} was resolved or restarted elsewhere. Its result does not count.`);
  if (job.abandon.aborted) return job.tell(`${name} was ended. Another worker gets it when its lease expires.`);
  const report = reportOf(ended, output);
  await send(client, claim, report, job);
  job.tell(`${name} finished: ${report.result}.`);
}

/** The credentials of the worker have more rights than the program needs. */
function environmentOf(claim: Claim, environment: Environment) {
  const { MILEPOST_TOKEN: _token, MILEPOST_PASSWORD: _password, ...own } = environment;
  return {
    ...own,
    MILEPOST_EXECUTION_URI: claim.execution.api_uri,
    MILEPOST_EXECUTION_SECRET: claim.secret,
    MILEPOST_EXECUTION_ATTEMPT: String(claim.attempt),
  };
}

interface Running {
  program: RunningProgram;
  output: KeptOutput;
  tell: Job['tell'];
}

/** Returns whether the run was lost to another worker or resolved elsewhere. The program is then ended. */
async function renewUntilEnd(client: Client, claim: Claim, { program, output, tell }: Running): Promise<boolean> {
  const pauseMs = (claim.lease_seconds * 1000) / renewalsPerLease;
  const timers = new AbortController();
  const ended = program.ended.then(() => timers.abort()).then(() => true);
  const pause = () => setTimeout(pauseMs, false, { signal: timers.signal }).catch(() => true);
  let unsent = '';
  while (!(await Promise.race([ended, pause()]))) {
    unsent += output.take();
    try {
      const renewed = await client.renewClaim({
        params: { execution_id: claim.execution.id },
        body: { attempt: claim.attempt, log: unsent },
      });
      unsent = '';
      if (renewed.continue) continue;
    } catch (error) {
      if (!isFinal(error)) {
        tell(`The lease of run ${claim.execution.id} was not renewed. Trying again.`);
        continue;
      }
    }
    program.stop();
    return true;
  }
  output.putBack(unsent);
  return false;
}

const isFinal = (error: unknown) => error instanceof ProblemError && error.status < 500 && error.status !== 429;

const valuesLine = /^__VALUES__ = (\{.*\})$/;

interface Report {
  status: 'finished';
  result: 'success' | 'failed';
  run_log: string;
  result_log?: string;
  result_values?: Record<string, unknown>;
}

/** Like the function `command`: the exit code decides, and the last line can have values. */
function reportOf(ended: number | NodeJS.Signals, output: KeptOutput): Report {
  const [, json] = valuesLine.exec(output.lastLine()) ?? [];
  const run_log = output.takeRest();
  if (ended !== 0) return { status: 'finished', result: 'failed', run_log, result_log: endText(ended) };
  if (json === undefined) return { status: 'finished', result: 'success', run_log };
  try {
    return {
      status: 'finished',
      result: 'success',
      run_log,
      result_values: JSON.parse(json) as Record<string, unknown>,
    };
  } catch {
    return { status: 'finished', result: 'failed', run_log, result_log: 'The line __VALUES__ is not a JSON object.' };
  }
}

const endText = (ended: number | NodeJS.Signals) =>
  typeof ended === 'number' ? `The program exited with code ${ended}.` : `The program was ended by ${ended}.`;

/** Repeats the report until the server has answered. A report that is too large is replaced by a failure that says so. */
async function send(client: Client, claim: Claim, report: Report, job: Job): Promise<void> {
  for (let next: Report | undefined = report; next;) {
    try {
      await client.updateCallbackExecution({ params: { id: claim.execution.id }, body: next });
      return;
    } catch (error) {
      if (isFinal(error)) next = replacementOf(error, next, job);
      else {
        job.tell(`The result of run ${claim.execution.id} was not reported. Trying again.`);
        await setTimeout(retryMs);
      }
    }
  }
}

function replacementOf(
  error: unknown,
  { run_log, result_values, result_log }: Report,
  { tell }: Job,
): Report | undefined {
  const message = error instanceof Error ? error.message : String(error);
  tell(`The server rejected the result: ${message}`);
  const isTooLarge = error instanceof ProblemError && error.status === 413;
  if (!isTooLarge || (result_values === undefined && result_log === message)) return undefined;
  // Without values, the log fits.
  const kept = result_values === undefined ? '' : run_log;
  return { status: 'finished', result: 'failed', run_log: kept, result_log: message };
}
