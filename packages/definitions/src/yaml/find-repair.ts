/**
 * Explains a mistake in a YAML text and corrects it, so that it does not hide the others: a value that needs quotes, or a wrong
 * indentation. The messages of the parser describe its own state.
 */
import { shortened } from '@milepost/api';
import type { ErrorCode } from '../file/finding-codes.ts';
import { quoted, quoting, unescaped, type Correction, type Edit, type Quoting } from './edits.ts';
import { wrongIndentation } from './indentation.ts';
import { unquotedValues, type ValueInLine } from './values-of-line.ts';

export interface Repair {
  code: ErrorCode;
  detail: string;
  /** Of the mistake. */
  offset: number;
  edits: Correction;
}

/** `offset` is that of the first error. Undefined if the mistake is another one. */
export function findRepair(text: string, offset: number): Repair | undefined {
  const { start, end } = lineAround(text, offset);
  return (
    missingQuotes(text, offset, { needsKey: false }) ??
    indentationRepair(text, start) ??
    (end === text.length ? undefined : indentationRepair(text, end + 1))
  );
}

/** With a key before it, the value needs quotes whatever the other lines are, so this is also right for a later error. */
export function missingQuotes(text: string, offset: number, { needsKey }: { needsKey: boolean }): Repair | undefined {
  const { start, end } = lineAround(text, offset);
  const line = text.slice(start, end).replace(/\r$/, '');
  if (/^\s*$/.test(line.slice(0, offset - start))) return undefined;
  const values = unquotedValues(line).filter(({ key }) => !needsKey || key !== '');
  const found = values.map((value) => quotesFor(line, value));
  const repair = found.find((one) => one !== undefined);
  if (!repair) return undefined;
  const { value, replaced = 0, ...explained } = repair;
  const [from, to] = [start + value.start, start + value.end];
  return { ...explained, offset: from, edits: quoting(text, { start: from, end: to, replaced }) };
}

function lineAround(text: string, offset: number) {
  const start = text.lastIndexOf('\n', offset - 1) + 1;
  const end = text.indexOf('\n', start);
  return { start, end: end === -1 ? text.length : end };
}

interface Explained {
  code: ErrorCode;
  detail: string;
  value: ValueInLine;
  /** Set if the value has quotes that do not fit. */
  replaced?: Quoting['replaced'];
}

/** Undefined if the value needs no quotes. */
function quotesFor(line: string, value: ValueInLine): Explained | undefined {
  const text = line.slice(value.start, value.end);
  if (isQuotedTwice(text)) return otherQuotes(text, value);
  const written = writtenAs(value, text);
  if (text.startsWith('{{')) {
    const detail = `a value that begins with {{ needs quotes, because { begins a mapping. Write ${written}.`;
    return { code: 'unquoted_placeholder', detail, value };
  }
  const hasBrackets = /[[\]{},"']/.test(text);
  if (value.key === 'condition' && (value.isInFlow ? hasBrackets : /^["']|: /.test(text))) {
    const detail = `this condition needs quotes, because ${value.isInFlow ? '[ ] and commas have a meaning inside { }' : 'it begins with a quote'}. Write ${written}.`;
    return { code: 'unquoted_condition', detail, value };
  }
  if (/: |:$/.test(text)) {
    const detail = `text that contains a colon and a space needs quotes, because it would begin a mapping. Write ${written}.`;
    return { code: 'unquoted_text', detail, value };
  }
  const reason = value.isInFlow && hasBrackets ? '[ ] { } and quotes have a meaning inside { }' : undefined;
  const special = /^[@`%"']/.test(text) ? `it begins with ${text.charAt(0)}` : reason;
  return special === undefined
    ? undefined
    : { code: 'unquoted_text', detail: `this text needs quotes, because ${special}. Write ${written}.`, value };
}

/** `"callbacks["a"].result"`: a letter follows the first quote inside, which YAML reads as the end. */
const isQuotedTwice = (text: string) => /^(?:"(?:[^"\\]|\\.)*"["\w].*"|'(?:[^']|'')*'['\w].*')$/.test(text);

/** Undefined if the value has other escapes than those of quotes and backslashes. */
function otherQuotes(text: string, value: ValueInLine): Explained | undefined {
  if (text.startsWith('"') && /\\[^"\\]/.test(text.replaceAll('\\\\', ''))) return undefined;
  const inside = unescaped(text.slice(1, -1), text.charAt(0));
  const isCondition = value.key === 'condition';
  // A condition can have either kind, so both ends and the inside get one kind each.
  const isPlain = isCondition && /^(?:[^"']|"[^"']*"|'[^"']*')*$/.test(inside);
  const written = writtenAs(value, isPlain ? inside.replaceAll('"', "'") : inside);
  const detail = `the quotes ${text.charAt(0)} around this value also occur inside it, where they would end it. Write ${written}.`;
  return { code: isCondition ? 'unquoted_condition' : 'unquoted_text', detail, value, replaced: 1 };
}

const maxShown = 200;

const writtenAs = ({ key }: ValueInLine, text: string) =>
  shortened(key === '' ? quoted(text) : `${key}: ${quoted(text)}`, maxShown);

function indentationRepair(text: string, start: number): Repair | undefined {
  const before = text.slice(0, start).split('\n').length - 1;
  const lines = text.split('\n');
  const wrong = wrongIndentation(lines, before);
  if (!wrong) return undefined;
  if (wrong.lacksDash) return dashRepair(start + wrong.given);
  const { wanted, given } = wrong;
  const written = /^[ \t]*/.exec(lines[before] ?? '')?.[0] ?? '';
  const tabs = written.includes('\t');
  const detail =
    `${tabs ? 'tabs are not allowed as indentation' : `this line is indented by ${spaces(given)}, which matches no line before it`}. ` +
    `Indent it by ${spaces(wanted)}.`;
  const offset = start + written.length;
  return { code: 'wrong_indentation', detail, offset, edits: shifts(lines, before, { start, by: wanted - given }) };
}

const dashRepair = (offset: number): Repair => ({
  code: 'wrong_indentation',
  detail: 'this line must begin an item of the list, like the lines before it. Write "- " before its first word.',
  offset,
  edits: [{ at: offset, remove: 0, insert: '- ' }],
});

const spaces = (count: number) => `${count} ${count === 1 ? 'space' : 'spaces'}`;

/** Shifts the line, and the lines below it that are indented as much or more. */
function shifts(lines: readonly string[], index: number, { start, by }: { start: number; by: number }): Edit[] {
  const own = /^[ \t]*/.exec(lines[index] ?? '')?.[0].length ?? 0;
  const edits: Edit[] = [];
  let at = start;
  for (const [below, line] of lines.slice(index).entries()) {
    const written = /^[ \t]*/.exec(line)?.[0] ?? '';
    // A line with the wanted indentation is not part of the mistake.
    if (below > 0 && line.trim() !== '' && (written.length < own || written.length === own + by)) break;
    const width = written.replaceAll('\t', '  ').length + by;
    if (line.trim() !== '') edits.push({ at, remove: written.length, insert: ' '.repeat(Math.max(0, width)) });
    at += line.length + 1;
  }
  return edits;
}
