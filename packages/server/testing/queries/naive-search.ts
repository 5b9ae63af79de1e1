/** Evaluates a query in memory, as docs/reference/queries.md describes it. It shares only the terms with the server. */
import { countCharacters, type queries } from '@milepost/api';
import type { PlainExperiment, PlainMove, PlainRun } from './searched-study.ts';

const lower = (text: string) => text.replaceAll(/[A-Z]/g, (letter) => letter.toLowerCase());

export interface NaiveOptions {
  now: number;
  me: string;
  /** Words are the beginning of a text. */
  onlyPrefixes?: boolean;
}

export const findNaively = (all: readonly PlainExperiment[], terms: readonly queries.Term[], options: NaiveOptions) =>
  all.filter((one) => terms.every((term) => holds(term, one, options) !== term.negated));

function holds(term: queries.Term, one: PlainExperiment, options: NaiveOptions): boolean {
  if (term.kind === 'word') return hasWord(term.text, one, options);
  return term.values.some((value) => holdsValue(term, value, one, options));
}

function hasWord(word: string, { label, subject, external }: PlainExperiment, { onlyPrefixes }: NaiveOptions): boolean {
  const ids = external.map(({ id }) => id);
  if (onlyPrefixes) {
    return (
      [label, subject].some((text) => lower(text).startsWith(lower(word))) || ids.some((id) => id.startsWith(word))
    );
  }
  const texts = [label, subject, ...ids].map(lower);
  return texts.some((text) => (countCharacters(word) < 3 ? text.startsWith(lower(word)) : text.includes(lower(word))));
}

type Compare<T> = (a: T, b: T) => number;
const ascending = <T>(a: T, b: T) => (a < b ? -1 : Number(a > b));

const operators: Record<string, (order: number) => boolean> = {
  '>': (order) => order > 0,
  '>=': (order) => order >= 0,
  '<': (order) => order < 0,
  '<=': (order) => order <= 0,
  ':': (order) => order === 0,
};

/** `compare` tells how the experiment's value relates to a text. */
function inRange(operator: string, { text, quoted }: queries.Value, compare: (text: string) => number): boolean {
  const [from, to] = quoted || operator !== ':' ? [text] : text.split('..', 2);
  if (to === undefined) return operators[operator]?.(compare(text)) ?? false;
  return (from === '' || compare(from ?? '') >= 0) && (to === '' || compare(to) <= 0);
}

/** A time belongs to the period whose text it starts with. */
const ofPeriod =
  (time: string): ((text: string) => number) =>
  (text) =>
    ascending(time.slice(0, text.length), text);

const hours: Record<string, number> = { m: 1 / 60, h: 1, d: 24, w: 168 };
const hoursOf = (text: string) => Number(text.slice(0, -1)) * (hours[text.slice(-1)] ?? 0);

const matchesText = (text: string, { text: given, quoted }: queries.Value, fold: (text: string) => string) =>
  !quoted && given.endsWith('*') ? fold(text).startsWith(fold(given.slice(0, -1))) : fold(text) === fold(given);

function holdsVariable(variable: unknown, operator: string, value: queries.Value): boolean {
  const isRange = operator !== ':' || (!value.quoted && value.text.includes('..'));
  if (isRange) {
    return typeof variable === 'number' && inRange(operator, value, (text) => ascending(variable, Number(text)));
  }
  return typeof variable === 'number'
    ? /^-?[\d.]+$/.test(value.text) && variable === Number(value.text)
    : variable !== undefined && lower(`${variable as string | boolean}`) === lower(value.text);
}

/** The only state that no transition leaves. */
const final = 'done';

const isMove: Record<string, (move: PlainMove, state: string) => boolean> = {
  arrived: ({ isFirst }) => isFirst,
  finished: ({ isFirst, left, entered }) => entered === final && (isFirst || left !== final),
  entered: ({ entered }, state) => entered === state,
  left: ({ isFirst, left }, state) => !isFirst && left === state,
  decided: ({ isFirst, left, isDecision }, state) => !isFirst && left === state && isDecision,
};

const isRun: Record<string, (run: PlainRun) => boolean> = {
  failed: ({ result }) => result === 'failed' || result === 'timeout',
  retried: ({ attempt }) => attempt > 1,
};

const isOf = ({ callback, cause }: PlainRun, key: string) => callback === key || cause === key;

function holdsValue(
  { name, key, operator }: queries.Filter,
  value: queries.Value,
  one: PlainExperiment,
  { now, me }: NaiveOptions,
): boolean {
  const { text } = value;
  switch (name) {
    case 'state':
    case 'workflow':
    case 'cohort':
      return one[name] === text;
    case 'subject':
    case 'label':
      return matchesText(one[name], value, lower);
    case 'external':
      return one.external.some(({ system, id }) => system === key && matchesText(id, value, (same) => same));
    case 'id':
      return inRange(operator, value, (given) => one.id - Number(given));
    case 'incident':
      if (text === 'none') return one.incidents.length === 0;
      return text === 'any' ? one.incidents.length > 0 : one.incidents.includes(text);
    case 'run':
      return one.runs.includes(text);
    case 'decision':
      return one.waiting_hours !== null && (text === 'waiting' || one.waiting_hours > 72);
    case 'in-state':
      return inRange(operator, value, (given) => ascending((now - one.entered) / 3_600_000, hoursOf(given)));
    case 'scanned':
      return one.scandate !== null && inRange(operator, value, ofPeriod(one.scandate));
    case 'changed':
      return inRange(operator, value, ofPeriod(one.changed));
    case 'arrived':
    case 'finished':
    case 'entered':
    case 'left':
    case 'decided':
      return one.moves.some((move) => isMove[name]?.(move, key) && inRange(operator, value, ofPeriod(move.at)));
    case 'failed':
    case 'retried':
      return one.ended.some(
        (run) => isOf(run, key) && isRun[name]?.(run) && inRange(operator, value, ofPeriod(run.at)),
      );
    case 'var':
      return holdsVariable(one.variables[key], operator, value);
    case 'withdrawn':
      return one.withdrawn === (text === 'yes');
    case 'assigned':
      if (text === 'nobody') return one.assignee === null;
      return one.assignee === (text === 'me' ? me : text);
    default:
      return name satisfies never;
  }
}

const keys: Record<string, (one: PlainExperiment) => number | string> = {
  id: ({ id }) => id,
  label: ({ label }) => lower(label),
  subject: ({ subject }) => lower(subject),
  cohort: ({ cohort }) => cohort,
  workflow: ({ workflow }) => workflow,
  state: ({ state_order: order }) => order,
  scanned: ({ scandate }) => scandate ?? '',
  changed: ({ changed_order: order }) => order,
  'in-state': ({ entered_order: order }) => -order,
};

/** Those without a scan date are last in both directions. The longest time in a state belongs to the first action. */
export function sortNaively(found: readonly PlainExperiment[], sort: string): PlainExperiment[] {
  const [name, sign] = sort.startsWith('-') ? [sort.slice(1), -1] : [sort, 1];
  const key = keys[name] ?? keys['id'];
  const compare: Compare<PlainExperiment> = (a, b) => {
    const [first, second] = [key?.(a) ?? 0, key?.(b) ?? 0];
    if (name === 'scanned' && (first === '') !== (second === '')) return first === '' ? 1 : -1;
    return sign * (ascending(first, second) || (name === 'in-state' ? b.id - a.id : a.id - b.id));
  };
  return found.toSorted(compare);
}
