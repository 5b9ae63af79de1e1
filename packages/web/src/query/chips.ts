/** The text of a query as chips, one for each term. A part that cannot be read is a chip, too, so that no text is lost. */
import { queries } from '@milepost/api';

export interface Chip {
  text: string;
  /** In the query. */
  position: number;
  /** The beginning of the text that is the name and the operator. */
  head: string;
  /** Why the part cannot be read. */
  error?: string;
}

export function chipsOf(q: string): Chip[] {
  const { terms, errors } = queries.readQuery(q);
  const chips: Chip[] = [];
  let end = 0;
  for (const term of terms) {
    chips.push(...unreadable(q, end, term.position, errors), chipOf(q, term));
    end = term.position + term.length;
  }
  return [...chips, ...unreadable(q, end, q.length, errors)];
}

function chipOf(q: string, term: queries.Term): Chip {
  const first = term.kind === 'filter' ? (term.values[0]?.position ?? term.position) : term.position;
  return {
    text: q.slice(term.position, term.position + term.length),
    position: term.position,
    head: q.slice(term.position, first),
  };
}

function unreadable(q: string, from: number, to: number, errors: readonly queries.QueryError[]): Chip[] {
  const text = q.slice(from, to).trim();
  if (text === '') return [];
  const error = errors.find(({ position }) => position >= from && position < to);
  return [{ text, position: q.indexOf(text, from), head: '', ...(error && { error: errorText(error) }) }];
}

export const errorText = ({ message, suggestion }: Pick<queries.QueryError, 'message' | 'suggestion'>): string =>
  suggestion === undefined ? message : `${message} ${suggestion}`;

/** The query without the term of a chip. */
export const withoutChip = (chips: readonly Chip[], index: number): string =>
  joinTexts(chips.filter((_, other) => other !== index).map(({ text }) => text));

export const joinTexts = (texts: readonly string[]): string =>
  texts
    .map((text) => text.trim())
    .filter((text) => text !== '')
    .join(' ');

/** The chip at this position of the query, which is how the server reports errors. */
export const chipAt = (chips: readonly Chip[], at: number): number =>
  chips.findIndex(({ position, text }) => at >= position && at < position + text.length);
