/** Reads the lines of a program's output that can be the cause of a failure, the best first. */
import { cutMark } from '../cut-text.ts';

/** A traceback, a stack trace, or lines of a log. */
export const isOutput = (text: string): boolean =>
  text.includes(traceback) || stackFrame.test(text) || text.split('\n', 50).some((line) => level.test(line));

/** The time and the level at the start of a line of a log, with the name of a logger as Python writes it. */
const level =
  /^\W*(?:\d[\d\-/.:,TZ+ ]{5,40}\W*)?(?:\[?\w+\]?\s+)?\[?\b(?:ERROR|ERR|FATAL|CRITICAL|SEVERE|PANIC)\b\]?(?::\w[\w.]*:|:|\s+-|\s)?\s*/;
const severe = /^(?:[\w./-]+: )*(?:error|fatal|fatal error|panic)\b\s*[:!]/i;
const time = /^\W{0,2}\d{2,4}[-/.:]\d{2}[\d\-/.:,TZ+ ]{3,30}\]?\s*(?:-\s+)?/;
const complaint =
  /\b(?:error|fatal|failed|failure|cannot|can't|could ?n[o']t|unable|denied|refused|not found|no such|no space|exception|invalid|missing|killed|out of memory|segmentation fault|not permitted|timed? ?out|exceeded)\b/i;

/** Lines that only say that another program failed. */
const consequence =
  /exit(?:ed)?(?: with)?(?: exit)? (?:code|status) -?\d+|\*\*\* \[.*\] Error \d+|non-zero exit|^(?:command|job|task|step|run) failed\W*$|^\s*(?:\d+ errors?|aborting|exiting|cleaning up|terminated|see .*logs?\b.*)\W*$/i;

const traceback = 'Traceback (most recent call last):';
const stackFrame = /^\s+at (?:\S+ ?\(|[\w$.<>]+\(|async |file:|\/|node:)/m;

export function candidatesInOutput(text: string): string[] {
  const lines = text
    .replaceAll(cutMark.trim(), '')
    .split(/\r\n|\n|\r/)
    .filter((line) => line.trim() !== '');
  const last = (matches: (line: string) => boolean) =>
    lines.findLast((line) => matches(line) && !consequence.test(line)) ?? [];
  return [
    pythonError(lines),
    stackError(lines),
    last((line) => level.test(line) || severe.test(line)),
    last((line) => complaint.test(line)),
    last(() => true),
    lines.at(-1) ?? [],
  ]
    .flat()
    .map(withoutPrefix);
}

/** The first line after the last traceback that is not indented: the error, with its message. */
function pythonError(lines: readonly string[]): string[] {
  const start = lines.findLastIndex((line) => line.includes(traceback));
  if (start === -1) return [];
  const margin = lines[start]?.indexOf(traceback) ?? 0;
  const error = lines.slice(start + 1).find((line) => !/^\s/.test(line.slice(margin)));
  return error === undefined ? [] : [error.slice(margin)];
}

/** Java names the cause last, and JavaScript has the error before the first frame. */
function stackError(lines: readonly string[]): string[] {
  const first = lines.findIndex((line) => stackFrame.test(line));
  if (first < 1) return [];
  const cause = lines.findLast((line) => /^\s*Caused by: /.test(line));
  const before = lines.slice(0, first).findLast((line) => !/^\s/.test(line));
  return [cause ?? before ?? []].flat();
}

const withoutPrefix = (line: string) =>
  line
    .trim()
    .replace(/^Caused by: /, '')
    .replace(/^Exception in thread "[^"]*" /, '')
    .replace(level, '')
    .replace(time, '')
    .replace(/^(?:fatal )?error\s*[:!]\s*(?=\S)/i, '')
    .replace(/^Uncaught (?=\w)/, '');
