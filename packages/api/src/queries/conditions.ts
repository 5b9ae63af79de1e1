/** The meaning of a term: a condition with typed values, or the error in a value. */
import { suggestion } from '../validation/nearest-name.ts';
import { boundsOf, readDate, readDuration, readId, readNumber, sidesOf, type Bounds } from './bounds.ts';
import { ruleOf, type QueryName } from './names.ts';
import type { Filter, QueryError, Term, Value } from './terms.ts';

export type Condition =
  | { kind: 'word'; text: string }
  | { kind: 'choice'; name: 'incident' | 'run' | 'decision' | 'withdrawn'; values: string[] }
  | { kind: 'name'; name: 'state' | 'workflow' | 'cohort' | 'assigned'; values: Value[] }
  | { kind: 'text'; name: 'subject' | 'label' | 'external'; key: string; values: TextPattern[] }
  | { kind: 'ids'; anyOf: Bounds<number>[] }
  | { kind: 'dates'; name: 'scanned' | 'changed'; anyOf: Bounds<string>[] }
  /** A move in the past. The key is a state. */
  | {
      kind: 'moves';
      name: 'arrived' | 'finished' | 'entered' | 'left' | 'decided';
      key: string;
      anyOf: Bounds<string>[];
    }
  /** A finished run. The key is a callback, or the cause of its failures. */
  | { kind: 'runs'; name: 'failed' | 'retried'; key: string; anyOf: Bounds<string>[] }
  /** In milliseconds. */
  | { kind: 'age'; anyOf: Bounds<number>[] }
  | { kind: 'variable'; key: string; texts: VariableText[]; anyOf: Bounds<number>[] };

export interface TextPattern {
  text: string;
  /** The text is only the beginning. */
  isPrefix: boolean;
}

export interface VariableText {
  text: string;
  /** The same as a number, if the text is one. */
  number: number | undefined;
}

const expected: Record<string, string> = {
  number: 'Expected a whole number or a range, such as 112 or 100..199.',
  date: 'Expected a day, month, year or range, such as 2026-01-31, 2026-01, 2026 or 2026-01..2026-03.',
  duration: 'Expected a comparison or a range, such as in-state>3d or in-state:12h..2d, in m, h, d or w.',
  variable: 'Expected a number.',
};

class ValueError extends Error {
  readonly error: QueryError;
  constructor({ position, length, text }: Value, hint: string) {
    super(hint);
    this.error = { position, length, message: `\`${text}\` is not a valid value.`, suggestion: hint };
  }
}

export function conditionOf(term: Term): Condition | { error: QueryError } {
  if (term.kind === 'word') return { kind: 'word', text: term.text };
  try {
    return readers[term.name](term);
  } catch (error) {
    if (error instanceof ValueError) return { error: error.error };
    throw error;
  }
}

const allBounds = <T extends number | string>(
  { name, operator, values }: Filter,
  read: Parameters<typeof boundsOf<T>>[2],
): Bounds<T>[] =>
  values.map((value) => {
    const bounds = boundsOf(value, operator, read);
    if (!bounds) throw new ValueError(value, expected[ruleOf(name).takes] ?? '');
    return bounds;
  });

const choice =
  (name: 'incident' | 'run' | 'decision' | 'withdrawn') =>
  ({ values }: Filter): Condition => {
    const known = ruleOf(name).values ?? [];
    for (const value of values) {
      if (!known.includes(value.text)) throw new ValueError(value, suggestion(value.text, known));
    }
    return { kind: 'choice', name, values: values.map(({ text }) => text) };
  };

const named =
  (name: 'state' | 'workflow' | 'cohort' | 'assigned') =>
  ({ values }: Filter): Condition => ({ kind: 'name', name, values });

const text =
  (name: 'subject' | 'label' | 'external') =>
  ({ key, values }: Filter): Condition => ({ kind: 'text', name, key, values: values.map(patternOf) });

const patternOf = ({ text: given, quoted }: Value): TextPattern =>
  !quoted && given.endsWith('*') ? { text: given.slice(0, -1), isPrefix: true } : { text: given, isPrefix: false };

/** A single duration is no condition: nothing is in a state for exactly three days. */
function age(filter: Filter): Condition {
  const single = filter.values.find((value) => filter.operator === ':' && !sidesOf(value));
  if (single) throw new ValueError(single, expected['duration'] ?? '');
  return { kind: 'age', anyOf: allBounds(filter, readDuration) };
}

function variable(filter: Filter): Condition {
  const isRange = (value: Value) => filter.operator !== ':' || sidesOf(value) !== undefined;
  const texts = filter.values.filter((value) => !isRange(value));
  return {
    kind: 'variable',
    key: filter.key,
    texts: texts.map((value) => ({ text: value.text, number: readNumber(value.text)?.first })),
    anyOf: allBounds({ ...filter, values: filter.values.filter(isRange) }, readNumber),
  };
}

const dates =
  (name: 'scanned' | 'changed') =>
  (filter: Filter): Condition => ({ kind: 'dates', name, anyOf: allBounds(filter, readDate) });

const moves =
  (name: 'arrived' | 'finished' | 'entered' | 'left' | 'decided') =>
  (filter: Filter): Condition => ({ kind: 'moves', name, key: filter.key, anyOf: allBounds(filter, readDate) });

const runs =
  (name: 'failed' | 'retried') =>
  (filter: Filter): Condition => ({ kind: 'runs', name, key: filter.key, anyOf: allBounds(filter, readDate) });

const readers: Record<QueryName, (filter: Filter) => Condition> = {
  state: named('state'),
  workflow: named('workflow'),
  cohort: named('cohort'),
  assigned: named('assigned'),
  subject: text('subject'),
  label: text('label'),
  external: text('external'),
  incident: choice('incident'),
  run: choice('run'),
  decision: choice('decision'),
  withdrawn: choice('withdrawn'),
  id: (filter) => ({ kind: 'ids', anyOf: allBounds(filter, readId) }),
  scanned: dates('scanned'),
  changed: dates('changed'),
  arrived: moves('arrived'),
  finished: moves('finished'),
  entered: moves('entered'),
  left: moves('left'),
  decided: moves('decided'),
  failed: runs('failed'),
  retried: runs('retried'),
  'in-state': age,
  var: variable,
};
