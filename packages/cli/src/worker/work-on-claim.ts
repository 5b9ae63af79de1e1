/** Runs the program for a claimed run: renews the lease, sends the log, and reports the result. */
import { bearer, createClient, type Client } from '@milepost/api/client';
import { setTimeout } from 'node:timers/promises';
import type { Environment } from '../run/command.ts';
import { isFinal } from '../run/final-error.ts';
import { keepOutput, type KeptOutput } from './kept-output.ts';
import { readPrintedValues, type PrintedValues } from './printed-values.ts';
import { runProgram, type RunningProgram } from './run-program.ts';
import { sendOutput, sendReport, type Report } from './send-report.ts';

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

export async function workOnClaim(claim: Claim, job: Job): Promise<void> {
  const client = createClient({ baseUrl: job.baseUrl, authorization: bearer(claim.secret) });
  const name = `Run ${claim.execution.id} for ${claim.experiment.label}`;
  const output = keepOutput();
  const report = await runClaim(client, claim, job, { name, output });
  if (report === 'lost') return job.tell(`${name} was resolved or restarted elsewhere. Its result was discarded.`);
  const { tell, abandon } = job;
  const sending = { client, executionId: claim.execution.id, attempt: claim.attempt, tell, abandon };
  await sendOutput(output.takeRest(), sending);
  const accepted = await sendReport(report, sending);
  if (accepted) return tell(`${name} finished: ${accepted.result}.`);
  if (abandon.aborted) return tell(`${name} was ended. Another worker gets it when its lease expires.`);
  tell(`${name} has ended. Its result was discarded.`);
}

interface Started {
  name: string;
  output: KeptOutput;
}

async function runClaim(client: Client, claim: Claim, job: Job, { name, output }: Started): Promise<Report | 'lost'> {
  const printed = readPrintedValues();
  const { secret: _, ...given } = claim;
  const input = JSON.stringify(given);
  const environment = environmentOf(claim, job.environment);
  const { command, tell, abandon } = job;
  const program = await runProgram({ command, input, environment, output, printed }).catch((error: Error) => error);
  if (program instanceof Error) return failure(`The program cannot be started: ${program.message}`);
  // Its process group exists now, so a signal to this one does not reach it.
  tell(`${name} started.`);
  if (abandon.aborted) program.stop();
  abandon.addEventListener('abort', program.stop, { once: true });
  const isLost = await renewUntilEnd(client, claim, { program, output, tell });
  const ended = await program.ended;
  abandon.removeEventListener('abort', program.stop);
  return isLost ? 'lost' : reportOf(ended, printed);
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

const failure = (result_log: string): Report => ({ status: 'finished', result: 'failed', result_log });

/** Like the function `command`: the exit code decides, and a printed line can have values. */
function reportOf(ended: number | NodeJS.Signals, printed: PrintedValues): Report {
  if (ended !== 0) return failure(endText(ended));
  const values = printed.read();
  if (values === null) return failure('The printed __VALUES__ line does not contain a JSON object.');
  return { status: 'finished', result: 'success', ...(values && { result_values: values }) };
}

const endText = (ended: number | NodeJS.Signals) =>
  typeof ended === 'number' ? `The program exited with code ${ended}.` : `The program was ended by ${ended}.`;
