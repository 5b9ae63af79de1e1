/** Reads the values of options, before the server package is loaded. */
import { usage } from '@milepost/cli';
import type { Known } from '@milepost/server';

export function readPort(text: string): number {
  if (/^\d{1,5}$/.test(text) && Number(text) <= 65_535) return Number(text);
  throw usage(`--port must be a whole number from 0 to 65535, not \`${text}\`.`);
}

export function readCheckpoint(text: string): NonNullable<Known['checkpoints']>[number] {
  const [, number, hash] = /^([1-9]\d{0,14}):([\da-f]{64})$/i.exec(text) ?? [];
  if (number !== undefined && hash !== undefined) return { number: Number(number), hash: hash.toLowerCase() };
  throw usage(`--checkpoint must be NUMBER:HASH, with a hash of 64 hexadecimal digits, not \`${text}\`.`);
}
