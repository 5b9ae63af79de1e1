/**
 * Which queue the jobs of a callback go to. Functions of our own are run by our workers, all from one queue; everything
 * else waits in a queue of its own name for a worker that pulls (POST /worker/claims).
 */
export const builtInFunctions = [
  'http',
  'command',
  'external_program',
  'send_mail',
  'create_task',
  'sleep',
  'wait',
] as const;

export type BuiltInFunction = (typeof builtInFunctions)[number];

/** The queue of our own workers. */
export const callbackQueue = 'callbacks';

export const isBuiltIn = (name: string): name is BuiltInFunction =>
  (builtInFunctions as readonly string[]).includes(name);

/** `worker` says in its arguments which queue; any other foreign function is a queue by its own name. */
export function queueOf(functionName: string, callbackArguments: Readonly<Record<string, unknown>>): string {
  if (isBuiltIn(functionName)) return callbackQueue;
  const { queue } = callbackArguments;
  return pulledQueue(functionName === 'worker' && typeof queue === 'string' && queue !== '' ? queue : functionName);
}

/** The queue takes letters, digits and a few signs; every other byte is written as a point and two digits. */
export const pulledQueue = (name: string): string =>
  `pull/${Array.from(Buffer.from(name.normalize('NFC')), escapeByte).join('')}`;

function escapeByte(byte: number): string {
  const character = String.fromCharCode(byte);
  return /[\w-]/.test(character) ? character : `.${byte.toString(16).padStart(2, '0')}`;
}
