/** Logs are stored up to 1 MiB. Longer ones are accepted, but a marker replaces their middle. */
const maxBytes = 1024 * 1024;
const marker = '\n[... cut here ...]\n';

export function cutLog(text: string): string {
  if (text.length * 3 <= maxBytes) return text;
  const bytes = Buffer.from(text);
  if (bytes.length <= maxBytes) return text;
  const half = Math.floor((maxBytes - marker.length) / 2);
  // A character that was cut in two decodes to U+FFFD and is dropped.
  const head = bytes
    .subarray(0, half)
    .toString()
    .replace(/\uFFFD+$/, '');
  const tail = bytes
    .subarray(bytes.length - half)
    .toString()
    .replace(/^\uFFFD+/, '');
  return head + marker + tail;
}
