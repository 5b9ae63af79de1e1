/** `wait`: finishes at once, so that the execution waits for a report with the result values. */
import { waitArguments } from '@milepost/definitions';
import type { CallbackFunction } from './callback-function.ts';
import { argumentsReader } from './read-arguments.ts';

const readArguments = argumentsReader(waitArguments);

export const wait: CallbackFunction = async (run) => {
  readArguments(run.arguments);
  return { result: 'success', values: {} };
};
