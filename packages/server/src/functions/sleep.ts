/** `sleep`: waits for a number of seconds. */
import { setTimeout } from 'node:timers/promises';
import { values as v } from '@milepost/api';
import { Type } from 'typebox';
import type { CallbackFunction } from './callback-function.ts';
import { argumentsReader } from './read-arguments.ts';

/** One week. Node's timers are limited to 24 days, and for long pauses `initial_delay` occupies no worker. */
const maxSeconds = 604_800;

export const sleepArguments = v.closed({ seconds: Type.Number({ minimum: 0, maximum: maxSeconds }) });

const readArguments = argumentsReader(sleepArguments);

export const sleep: CallbackFunction = async (run) => {
  const { seconds } = readArguments(run.arguments);
  run.log(`Sleeping for ${seconds} s`);
  await setTimeout(seconds * 1000, undefined, { signal: run.signal });
  return { result: 'success', values: { sleep_duration: seconds } };
};
