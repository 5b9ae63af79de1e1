/**
 * The output of a program: the beginning is sent while it runs, the last part at the end, and a marker replaces what is between. So a
 * report is never too large for the server, which would refuse it.
 */
const beginBytes = 256 * 1024;
const endBytes = 256 * 1024;

export interface KeptOutput {
  add: (chunk: Buffer) => void;
  /** The part of the beginning that was not taken yet. */
  take: () => string;
  /** For a part that could not be sent. */
  putBack: (text: string) => void;
  /** The rest of the beginning, the marker and the last part. */
  takeRest: () => string;
}

export function keepOutput(): KeptOutput {
  const decoder = new TextDecoder();
  const end = keepLast(endBytes);
  let [untaken, begun, returned]: [Buffer[], number, string] = [[], 0, ''];
  const take = () => {
    const text = returned + decoder.decode(Buffer.concat(untaken), { stream: true });
    [untaken, returned] = [[], ''];
    return text;
  };
  return {
    add: (chunk) => {
      const room = Math.min(chunk.length, beginBytes - begun);
      // A copy, because a part would keep the memory of the whole chunk.
      if (room > 0) untaken.push(Buffer.from(chunk.subarray(0, room)));
      begun += room;
      if (room < chunk.length) end.add(chunk.subarray(room));
    },
    take,
    putBack: (text) => {
      returned = text + returned;
    },
    takeRest: () => {
      const bytes = end.read();
      const cut = end.cut();
      return `${take()}${cut === 0 ? '' : `\n[... ${cut} bytes cut here ...]\n`}${bytes.toString('utf8')}`;
    },
  };
}

/** Copies the bytes only when twice the limit is reached, so that a long log costs little. */
function keepLast(limit: number) {
  let [chunks, length, cut]: [Buffer[], number, number] = [[], 0, 0];
  const trim = () => {
    const all = Buffer.concat(chunks);
    const bytes = all.subarray(Math.max(0, all.length - limit));
    cut += all.length - bytes.length;
    [chunks, length] = [[Buffer.from(bytes)], bytes.length];
    return bytes;
  };
  return {
    add: (chunk: Buffer) => {
      chunks.push(chunk);
      length += chunk.length;
      if (length > 2 * limit) trim();
    },
    read: trim,
    cut: () => cut,
  };
}
