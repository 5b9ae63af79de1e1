/** What the query field offers while the user types. */
import { queries } from '@milepost/api';
import { localDay } from '../ui/times.ts';

export interface Offer {
  /** What the list shows. */
  text: string;
  detail: string;
  /** What replaces the typed part. */
  insert: string;
  /** Whether the term is complete with it. Otherwise the user continues typing. */
  isComplete: boolean;
}

export interface Suggestion {
  text: string;
  detail: string | null;
}

const afterName = (name: queries.QueryName): string => {
  const { key, takes } = queries.ruleOf(name);
  if (key !== undefined) return '.';
  return takes === 'duration' ? '>' : ':';
};

const contains = (text: string, typed: string) => text.toLowerCase().includes(typed.toLowerCase());

/** Those that begin with the typed text first. */
export const ranked = <T extends { text: string }>(all: readonly T[], typed: string): T[] => {
  const found = all.filter(({ text }) => contains(text, typed));
  const begins = ({ text }: T) => text.toLowerCase().startsWith(typed.toLowerCase());
  return [...found.filter(begins), ...found.filter((one) => !begins(one))];
};

export const offersOfNames = (typed: string): Offer[] =>
  ranked(
    queries.queryNameList.map((name) => ({
      text: `${name}${afterName(name)}`,
      detail: queries.ruleOf(name).help,
      insert: `${name}${afterName(name)}`,
      isComplete: false,
    })),
    typed,
  );

export const offersOfKeys = (suggestions: readonly Suggestion[]): Offer[] =>
  suggestions.map(({ text, detail }) => ({
    text,
    detail: detail ?? '',
    insert: `${queries.printKey(text)}:`,
    isComplete: false,
  }));

/** The server's suggestions after the values that have a meaning of their own. */
export const offersOfValues = (
  name: queries.QueryName,
  typed: string,
  suggestions: readonly Suggestion[],
  now: Date,
): Offer[] => {
  const known = ranked(knownValues(name, now), typed);
  return [...known, ...suggestions].map(({ text, detail }) => ({
    text,
    detail: detail ?? '',
    insert: queries.printValue({ text, quoted: false }),
    isComplete: true,
  }));
};

const durations = ['1h', '1d', '3d', '1w', '4w'];

function knownValues(name: queries.QueryName, now: Date): Suggestion[] {
  const { takes, values = [] } = queries.ruleOf(name);
  if (takes === 'duration') return durations.map((text) => ({ text, detail: null }));
  if (takes !== 'date') return values.map((text) => ({ text, detail: null }));
  const today = localDay(now);
  return [
    { text: today, detail: 'Today' },
    { text: today.slice(0, 7), detail: 'This month' },
    { text: today.slice(0, 4), detail: 'This year' },
  ];
}
