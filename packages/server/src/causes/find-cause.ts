/**
 * Finds the cause of a failed run in what its program or the called server said: one sentence that a person would pick from it, of
 * at most 500 characters, without secrets.
 */
import { createMask, createRedaction } from '../redact.ts';
import { atEnds } from './at-ends.ts';
import { candidatesInAnswer, candidatesInValues } from './read-answer.ts';
import { candidatesInOutput } from './read-output.ts';

export const maxCauseLength = 500;

export type Source =
  /** A response: JSON, a page, XML or text. */
  | { answer: unknown }
  /** The result values of a worker. */
  | { values: object }
  /** The output of a program: its error is usually the last one. */
  | { output: string };

/** Shorter secrets would hide ordinary words. */
const shortestSecret = 4;

/**
 * The first source that says something decides. `secrets` are hidden wherever they occur, before the text is cut anywhere. Undefined if
 * no source says anything.
 */
export function findCause(sources: readonly Source[], secrets: readonly string[] = []): string | undefined {
  const hide = createMask(secrets.filter(({ length }) => length >= shortestSecret));
  const said = sources.map((source) =>
    candidates(withoutSecrets(source, hide))
      .map((text) => asCause(hide(text)))
      .filter(hasWords),
  );
  return (
    said.flatMap((found) => found.find((text) => !isGeneric(text)) ?? [])[0] ??
    said.flat().find((text) => hasSpace(text) || isCode(text))
  );
}

/** In JSON, a secret can have other escapes than ours. It is found once the JSON is read. */
function withoutSecrets(source: Source, hide: (text: string) => string): Source {
  if ('output' in source) return { output: hide(source.output) };
  return 'answer' in source && typeof source.answer === 'string' ? { answer: hide(source.answer) } : source;
}

const hideForms = createRedaction();

/** A text as a cause: on one line, without secrets, cut at the end of a word. */
export const asCause = (text: string): string =>
  cutAtWord(hideForms(cleaned(text.slice(0, 8 * maxCauseLength))).toWellFormed());

function candidates(source: Source): string[] {
  if ('output' in source) return candidatesInOutput(atEnds(source.output).replaceAll(control, ''));
  return 'values' in source ? candidatesInValues(source.values) : candidatesInAnswer(source.answer);
}

/** Colours and other control characters, without line breaks and tabs. */
// oxlint-disable-next-line no-control-regex -- Programs print them.
const control = /\u001b\[[0-9;]*[A-Za-z]|[\u0000-\u0008\u000e-\u001f\u007f]/g;

const cleaned = (text: string) => text.replaceAll(control, '').replaceAll(/\s+/g, ' ').trim();

function cutAtWord(text: string): string {
  if (text.length <= maxCauseLength) return text;
  const start = text.slice(0, maxCauseLength - 1);
  const end = start.lastIndexOf(' ');
  return `${(end > maxCauseLength / 2 ? start.slice(0, end) : start.replace(/[\ud800-\udbff]$/, '')).trimEnd()}…`;
}

const hasWords = (text: string) => /\p{L}{2}/u.test(text) && !/^(?:null|undefined|true|false|none|nan)$/i.test(text);
const hasSpace = (text: string) => /\S\s+\S/.test(text);

/** Texts that only repeat that something failed. They count if nothing better was said. */
const generic = new RegExp(
  `^(?:(?:http )?(?:error|status|fehler)?:? ?\\d{3}[ :–-]*)?(?:${[
    '(?:an? |the )?(?:unknown |unexpected |internal |server |fatal )*(?:error|failure|exception|problem)(?: has)?(?: occurr?ed)?',
    'bad request|unauthorized|forbidden|not found|method not allowed|conflict|unprocessable(?: entity| content)?',
    'too many requests|internal server error|bad gateway|service (?:temporarily )?unavailable|gateway time-?out',
    'no message available|fail(?:ed|ure)?|(?:the )?(?:run|request|task|job|operation|command|process) failed|something went wrong|oops',
    '(?:validation|client|server) (?:error|failed)|ko|nok|aborted|rejected|see (?:the )?logs?.*',
  ].join('|')})[.!]*$`,
  'i',
);

/** One word, such as `quota_exceeded`. */
const isCode = (text: string) => text.length > 3 && !generic.test(text);

const isGeneric = (text: string) => generic.test(text) || !hasSpace(text);
