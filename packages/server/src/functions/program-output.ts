/** Reads the output of a program in limited memory. */
import type { Readable } from 'node:stream';
import { cutMark } from '../cut-text.ts';

const maxBytes = 1024 * 1024;

const endBytes = 64 * 1024;

/** Keeps the first MiB, and a mark if there is more. Keeps the end, too, because that is where errors are. A program would block if its output were not read. */
export function captureStart(stream: Readable) {
  const parts: Buffer[] = [];
  let room = maxBytes;
  let cut = false;
  let end = Buffer.alloc(0);
  stream.on('data', (part: Buffer) => {
    parts.push(part.subarray(0, room));
    end = Buffer.concat([end, part]).subarray(-endBytes);
    cut ||= part.length > room;
    room = Math.max(0, room - part.length);
  });
  return {
    text: () => Buffer.concat(parts).toString() + (cut ? cutMark : ''),
    end: () => end.toString(),
    isCut: () => cut,
  };
}

/** Calls `onLine` for every line of the output, including dropped parts. Skips lines longer than 1 MiB. */
export function readLines(stream: Readable, onLine: (line: string) => void): void {
  let current: Buffer[] = [];
  let length = 0;
  const add = (part: Buffer) => {
    length += part.length;
    if (length <= maxBytes) current.push(part);
    else current = [];
  };
  const end = () => {
    if (length <= maxBytes) onLine(Buffer.concat(current).toString());
    [current, length] = [[], 0];
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
