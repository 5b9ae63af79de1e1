/** `wait`: does nothing itself; the execution then waits for a report, which brings the values. */
import { values as v } from '@milepost/api';
import type { CallbackFunction } from './callback-function.ts';
import { argumentsReader } from './read-arguments.ts';

export const waitArguments = v.closed({});

const readArguments = argumentsReader(waitArguments);

export const wait: CallbackFunction = async (run) => {
  readArguments(run.arguments);
  return { result: 'success', values: {} };
};
