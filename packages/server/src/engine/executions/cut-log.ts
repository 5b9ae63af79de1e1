/** Logs are kept up to 1 MiB and never refused: of a longer one the middle goes, with a mark that says so. */
const mostBytes = 1024 * 1024;
const mark = '\n[... cut here ...]\n';

export function cutLog(text: string): string {
  if (text.length * 3 <= mostBytes) return text;
  const bytes = Buffer.from(text);
  if (bytes.length <= mostBytes) return text;
  const half = Math.floor((mostBytes - mark.length) / 2);
  // A character that the cut goes through is left out.
  const head = bytes
    .subarray(0, half)
    .toString()
    .replace(/\uFFFD+$/, '');
  const tail = bytes
    .subarray(bytes.length - half)
    .toString()
    .replace(/^\uFFFD+/, '');
  return head + mark + tail;
}
