import { setTimeout } from 'node:timers/promises';
import { defineCommand } from '../run/command.ts';
import { explainError } from '../run/explain-error.ts';
import { exitCodes, usage } from '../run/failure.ts';
import { isFinal } from '../run/final-error.ts';
import { clientFor, findConnection } from '../contexts/connect.ts';
import { wholeNumber } from '../contexts/find-object.ts';
import { note } from '../output/write-output.ts';
import { workOnClaim, type Claim } from '../worker/work-on-claim.ts';

const waitSeconds = 20;
const retryMs = 5000;

/** The first signal ends the worker after its runs, the second one ends its runs, too. */
function listenForSignals() {
  const [finish, abandon] = [new AbortController(), new AbortController()];
  const onSignal = () => {
    if (finish.signal.aborted) abandon.abort();
    else note('Stopping after the current runs. Press Ctrl-C again to end them.');
    finish.abort();
  };
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, onSignal);
  return { finish: finish.signal, abandon: abandon.signal };
}

const mostParallel = 100;

function readParallel(text: string): number {
  const parallel = wholeNumber(text, '--parallel');
  if (parallel > mostParallel) throw usage(`--parallel must be at most ${mostParallel}, not ${parallel}.`);
  return parallel;
}

const run = defineCommand({
  path: 'worker run',
  summary: 'run a program for each run of a queue',
  description:
    'The program gets the run as JSON on standard input, and its URI and secret in the environment, as in the function `command`. Exit code 0 is a ' +
    'success. The last line `__VALUES__ = {"volume": 3.5}` of its standard output has the result values. Its output is the log: the first and the last 256 KiB are kept. ' +
    'Ctrl-C ends the worker after the current runs. The account needs the permission `worker_run`.',
  isService: true,
  options: {
    queue: { takes: 'NAME', repeated: true, required: true, about: 'a queue of the function `worker`' },
    exec: { takes: 'COMMAND', required: true, about: 'the program, run by /bin/sh' },
    parallel: { takes: 'N', about: 'run at most this many at the same time, at most 100 (default: 1)' },
    once: { about: 'end when no run waits' },
  },
  examples: [
    `milepost worker run --queue cluster --exec 'cat; echo Converted' --once`,
    `milepost worker run --queue cluster --queue gpu --exec ./segment.sh --parallel 4`,
  ],
  run: async ({ values, environment }) => {
    const parallel = readParallel(values.parallel ?? '1');
    const connection = await findConnection({ values, environment });
    const client = clientFor(connection);
    const { finish, abandon } = listenForSignals();
    const job = { baseUrl: connection.baseUrl, command: values.exec, environment, tell: note, abandon };
    const active = new Set<Promise<void>>();
    const claim = async (): Promise<readonly Claim[]> => {
      const body = {
        queues: [...values.queue],
        max: parallel - active.size,
        wait_seconds: values.once ? 0 : waitSeconds,
      };
      try {
        return (await client.claimExecutions({ body, signal: finish })).claims;
      } catch (error) {
        if (finish.aborted) return [];
        if (isFinal(error)) throw error;
        note(`No runs could be claimed: ${explainError(error).message} Trying again.`);
        await setTimeout(retryMs, undefined, { signal: finish }).catch(() => undefined);
        return [];
      }
    };
    note(`Waiting for runs of ${values.queue.join(', ')}. Ctrl-C to stop.`);
    while (!finish.aborted) {
      const claims = await claim();
      for (const one of claims) {
        const work: Promise<void> = workOnClaim(one, job)
          .catch((error: unknown) => note(`Run ${one.execution.id}: ${explainError(error).message}`))
          .finally(() => active.delete(work));
        active.add(work);
      }
      if (values.once && claims.length === 0 && active.size === 0) return;
      if (active.size >= parallel || (values.once && claims.length === 0)) await Promise.race(active);
    }
    await Promise.all(active);
    if (abandon.aborted) process.exitCode = exitCodes.interrupted;
  },
});

export const workerCommands = [run];
