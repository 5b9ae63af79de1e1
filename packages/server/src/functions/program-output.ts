/** What a program says, without letting it fill the memory. */
import type { Readable } from 'node:stream';

const most = 1024 * 1024;

/** The first MiB; the rest is read and dropped, as a program whose output nobody takes would stand still. */
export function keepBeginning(stream: Readable) {
  const parts: Buffer[] = [];
  let room = most;
  let cut = false;
  stream.on('data', (part: Buffer) => {
    parts.push(part.subarray(0, room));
    cut ||= part.length > room;
    room = Math.max(0, room - part.length);
  });
  return { text: () => Buffer.concat(parts).toString(), isCut: () => cut };
}

/** Each line, also of what is not kept; of a line that is longer than a MiB nothing is told. */
export function watchLines(stream: Readable, onLine: (line: string) => void): void {
  let begun: Buffer[] = [];
  let length = 0;
  const add = (part: Buffer) => {
    length += part.length;
    if (length <= most) begun.push(part);
    else begun = [];
  };
  const end = () => {
    if (length <= most) onLine(Buffer.concat(begun).toString());
    [begun, length] = [[], 0];
  };
  stream.on('data', (part: Buffer) => {
    let from = 0;
    for (let at = part.indexOf(10); at !== -1; at = part.indexOf(10, from)) {
      add(part.subarray(from, at));
      end();
      from = at + 1;
    }
    add(part.subarray(from));
  });
  stream.on('end', end);
}
