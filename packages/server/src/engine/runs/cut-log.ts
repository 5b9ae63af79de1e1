/** Logs are stored up to 1 MiB. Longer ones are accepted, but a mark replaces their middle. */
import { cutText } from '../../cut-text.ts';

const maxBytes = 1024 * 1024;

export const cutLog = (text: string): string => cutText(text, maxBytes, (part) => Buffer.byteLength(part));
