/** Shortens texts: a mark replaces the middle of a text that is too long. */
export const cutMark = '\n[... cut here ...]\n';

/** `sizeOf` must grow with the text and count at least 1 for each UTF-16 code unit that is not part of a surrogate pair. */
export function cutText(text: string, maxSize: number, sizeOf: (text: string) => number): string {
  if (sizeOf(text) <= maxSize) return text;
  const half = Math.floor((maxSize - sizeOf(cutMark)) / 2);
  const head = longest(half, (length) => text.slice(0, length).replace(/[\ud800-\udbff]$/, ''), sizeOf);
  const tail = longest(half, (length) => text.slice(text.length - length).replace(/^[\udc00-\udfff]/, ''), sizeOf);
  return head + cutMark + tail;
}

/** The longest part that is not larger than `maxSize`. */
function longest(maxSize: number, part: (length: number) => string, sizeOf: (text: string) => number): string {
  let [fits, tooLong] = [0, maxSize + 1];
  while (tooLong - fits > 1) {
    const length = Math.floor((fits + tooLong) / 2);
    if (sizeOf(part(length)) <= maxSize) fits = length;
    else tooLong = length;
  }
  return part(fits);
}
