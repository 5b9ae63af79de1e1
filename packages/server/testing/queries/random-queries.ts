/** Random queries from the grammar, with values of the study that is searched, and texts that are almost queries. */
import { queries, searchSorts } from '@milepost/api';
import type { PlainExperiment } from './searched-study.ts';

export type Random = () => number;

/** A small generator with a seed (mulberry32). */
export function randomFrom(seed: number): Random {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}

const pick = <T>(random: Random, from: readonly T[]): T => from[Math.floor(random() * from.length)] as T;
const times = <T>(count: number, make: () => T): T[] => Array.from({ length: count }, make);

const dates = ['2024', '2025', '2026', '2024-12', '2025-06', '2026-01', '2025-03-07', '2026-05-31'];
/** In the time in which the experiments of the study moved, the past five weeks. */
const recentDates = () =>
  [1, 4, 9, 16, 25, 33].map((days) => new Date(Date.now() - days * 86_400_000).toISOString().slice(0, 10));
const durations = ['1h', '12h', '2d', '10d', '3w', '45m'];
const numbers = ['40', '55', '65.5', '89'];

const partOf = (random: Random, text: string) => {
  const start = Math.floor(random() * text.length);
  return text.slice(start, start + 1 + Math.floor(random() * 6));
};

const rangeOf = (random: Random, values: readonly string[]) => {
  const [from, to] = times(2, () => pick(random, values));
  return pick(random, [`${from}..${to}`, `${from}..`, `..${to}`]);
};

type Part = [operator: string, values: string[]];

/** A comparison, a range, or values. */
const compared = (random: Random, values: readonly string[]): Part =>
  random() < 0.4
    ? [pick(random, ['>', '>=', '<', '<=']), [pick(random, values)]]
    : [
        ':',
        times(1 + Math.floor(random() * 2), () => (random() < 0.5 ? pick(random, values) : rangeOf(random, values))),
      ];

const plain = (text: string) => queries.printValue({ text, quoted: /[*.]/.test(text) });
const listed = (random: Random, value: () => string): Part => [
  ':',
  times(1 + Math.floor(random() * 2), () => plain(value())),
];
const orBeginning = (random: Random, text: string): Part =>
  random() < 0.5 ? [':', [plain(text)]] : [':', [`${queries.printValue({ text: text.slice(0, 5), quoted: false })}*`]];

function randomPart(random: Random, name: queries.QueryName, one: PlainExperiment): { key?: string; part: Part } {
  const rule = queries.ruleOf(name);
  switch (name) {
    case 'state':
    case 'workflow':
    case 'cohort':
      return { part: listed(random, () => one[name]) };
    case 'subject':
    case 'label':
      return { part: orBeginning(random, one[name].replaceAll(' ', '')) };
    case 'assigned':
      return { part: listed(random, () => pick(random, ['me', 'nobody', 'ann', 'ben', 'zoe'])) };
    case 'id':
      return { part: compared(random, [String(one.id), '5', '1000', '1990']) };
    case 'scanned':
    case 'changed':
      return { part: compared(random, dates) };
    case 'arrived':
    case 'finished':
      return { part: compared(random, recentDates()) };
    case 'entered':
    case 'left':
    case 'decided':
      return { key: one.state, part: compared(random, recentDates()) };
    case 'failed':
    case 'retried':
      return { key: pick(random, ['check', 'mail', '1-a1', '2-b2', '2-none']), part: compared(random, recentDates()) };
    case 'in-state':
      return { part: random() < 0.5 ? ['>', [pick(random, durations)]] : [':', [rangeOf(random, durations)]] };
    case 'var': {
      const key = pick(random, ['age', 'scanner', 'my var', 'none']);
      const texts = () => pick(random, ['Prisma', 'prisma fit', 'true', 'FALSE', '55', '7']);
      return { key, part: random() < 0.5 ? compared(random, numbers) : listed(random, texts) };
    }
    case 'external': {
      const link = pick(random, [...one.external, { system: 'XNAT', id: 'none' }]);
      return { key: link.system, part: orBeginning(random, link.id) };
    }
    case 'incident':
    case 'run':
    case 'decision':
    case 'withdrawn':
    default:
      return { part: listed(random, () => pick(random, rule.values ?? ['x'])) };
  }
}

function randomTerm(random: Random, all: readonly PlainExperiment[]): string {
  const one = pick(random, all);
  const sign = random() < 0.2 ? '-' : '';
  if (random() < 0.25) {
    const text = partOf(random, pick(random, [one.label, one.subject, ...one.external.map(({ id }) => id)]));
    return text.trim() === '' ? 'mc' : `${sign}${queries.quoteText(random() < 0.3 ? text.toUpperCase() : text)}`;
  }
  const name = pick(random, queries.queryNameList);
  const {
    key,
    part: [operator, values],
  } = randomPart(random, name, one);
  const dotted = key === undefined ? '' : `.${/\s/.test(key) ? queries.quoteText(key) : key}`;
  return `${sign}${name}${dotted}${operator}${values.join(',')}`;
}

export const randomQuery = (random: Random, all: readonly PlainExperiment[]): string =>
  times(Math.floor(random() * 4), () => randomTerm(random, all)).join(' ');

export const randomSort = (random: Random): string => pick(random, ['', '-']) + pick(random, searchSorts);

const pieces = [
  ...'":<>=,.-*\\% \t'.split(''),
  'Ä',
  '😀',
  '\0',
  '\ud800',
  'var.',
  'state:',
  '..',
  '99999999999999999999',
  '2026-99',
];

/** Removes, repeats or inserts a few characters. */
export function mutated(random: Random, text: string): string {
  let result = text;
  for (const _ of times(1 + Math.floor(random() * 4), () => 0)) {
    const at = Math.floor(random() * (result.length + 1));
    const [before, after] = [result.slice(0, at), result.slice(at)];
    result = pick(random, [
      before + pick(random, pieces) + after,
      before + after.slice(1),
      before + after.slice(0, 3) + after,
    ]);
  }
  return result;
}
