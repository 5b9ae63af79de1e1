/** `sleep`: passes time. */
import { setTimeout } from 'node:timers/promises';
import { values as v } from '@milepost/api';
import { Type } from 'typebox';
import type { CallbackFunction } from './callback-function.ts';
import { argumentsReader } from './read-arguments.ts';

/** A week; Node's timers end after 24 days. Longer pauses are an initial_delay, which no worker has to hold. */
const longest = 604_800;

export const sleepArguments = v.closed({ seconds: Type.Number({ minimum: 0, maximum: longest }) });

const readArguments = argumentsReader(sleepArguments);

export const sleep: CallbackFunction = async (run) => {
  const { seconds } = readArguments(run.arguments);
  run.log(`Sleeping for ${seconds} s`);
  await setTimeout(seconds * 1000, undefined, { signal: run.signal });
  return { result: 'success', values: { sleep_duration: seconds } };
};
