/**
 * The queue for the jobs of a callback. Built-in functions share one queue, which our workers run. Other functions have queues
 * of their own for pulling workers (POST /worker/claims).
 */
import { isBuiltIn } from '@milepost/definitions';

/** The queue of our workers. */
export const callbackQueue = 'callbacks';

/** The function `worker` names its queue in its arguments. Any other function that is not built in has a queue of its name. */
export function queueOf(functionName: string, callbackArguments: Readonly<Record<string, unknown>>): string {
  if (isBuiltIn(functionName)) return callbackQueue;
  const { queue } = callbackArguments;
  return pulledQueue(functionName === 'worker' && typeof queue === 'string' && queue !== '' ? queue : functionName);
}

/** Queue names allow letters, digits and a few symbols. Every other byte becomes a dot and two hex digits. */
export const pulledQueue = (name: string): string =>
  `pull/${Array.from(Buffer.from(name.normalize('NFC')), escapeByte).join('')}`;

/** The name that a workflow file and a pulling worker use for the queue. */
export const shownQueue = (queue: string): string =>
  decodeURIComponent(queue.replace(/^pull\//, '').replaceAll(/\.([0-9a-f]{2})/g, '%$1'));

function escapeByte(byte: number): string {
  const character = String.fromCharCode(byte);
  return /[\w-]/.test(character) ? character : `.${byte.toString(16).padStart(2, '0')}`;
}
