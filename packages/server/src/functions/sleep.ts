/** `sleep`: waits for a number of seconds. A long sleep occupies no slot of a worker: the run pauses, and its next attempt ends it. */
import { setTimeout } from 'node:timers/promises';
import { sleepArguments } from '@milepost/definitions';
import { Paused, type CallbackFunction } from './callback-function.ts';
import { argumentsReader } from './read-arguments.ts';

const readArguments = argumentsReader(sleepArguments);

/** A shorter sleep costs less than another attempt. */
const shortestPauseSeconds = 2;

export const sleep: CallbackFunction = async (run) => {
  const { seconds } = readArguments(run.arguments);
  const left = seconds - run.execution.runningSeconds;
  if (run.execution.attempt === 1) run.log(`Sleeping for ${seconds} s`);
  if (left >= shortestPauseSeconds) throw new Paused(left);
  if (left > 0) await setTimeout(left * 1000, undefined, { signal: run.signal });
  return { result: 'success', values: { sleep_duration: seconds } };
};
