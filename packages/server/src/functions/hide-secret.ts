/** Hides the secret of an attempt in logs, result values and errors. */
import { createMask } from '../redact.ts';
import { mapStrings } from './map-strings.ts';

/** Also hides the encoded secret. */
export const mask = (text: string, secret: string): string => createMask([secret])(text);

export function maskDeep<T>(value: T, secret: string): T {
  return secret === '' ? value : (mapStrings(value, createMask([secret]), true) as T);
}
