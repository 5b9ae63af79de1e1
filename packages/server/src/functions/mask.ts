/** The secret of an attempt must not be found in what people read: logs, values, reasons. */
import { mapTexts } from './map-texts.ts';

const hidden = '(hidden)';

/** Also in the spelling that addresses need. */
export function mask(text: string, secret: string): string {
  if (secret === '') return text;
  return text.replaceAll(secret, hidden).replaceAll(encodeURIComponent(secret), hidden);
}

export const maskDeep = <T>(value: T, secret: string): T =>
  secret === '' ? value : (mapTexts(value, (text) => mask(text, secret), true) as T);
