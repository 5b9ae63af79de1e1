/** Hides the secret of an attempt in logs, result values and errors. */
import { mapStrings } from './map-strings.ts';

const hidden = '(hidden)';

/** Also hides the percent-encoded secret. */
export function mask(text: string, secret: string): string {
  if (secret === '') return text;
  return text.replaceAll(secret, hidden).replaceAll(encodeURIComponent(secret), hidden);
}

export const maskDeep = <T>(value: T, secret: string): T =>
  secret === '' ? value : (mapStrings(value, (text) => mask(text, secret), true) as T);
