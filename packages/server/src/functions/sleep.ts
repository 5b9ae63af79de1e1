/** `sleep`: waits for a number of seconds. */
import { setTimeout } from 'node:timers/promises';
import { sleepArguments } from '@milepost/definitions';
import type { CallbackFunction } from './callback-function.ts';
import { argumentsReader } from './read-arguments.ts';

const readArguments = argumentsReader(sleepArguments);

export const sleep: CallbackFunction = async (run) => {
  const { seconds } = readArguments(run.arguments);
  run.log(`Sleeping for ${seconds} s`);
  await setTimeout(seconds * 1000, undefined, { signal: run.signal });
  return { result: 'success', values: { sleep_duration: seconds } };
};
