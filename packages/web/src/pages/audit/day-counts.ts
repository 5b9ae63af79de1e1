/** The line beside a day: how many entries it has, and how many of programs are hidden. */
import { count } from '../../ui/numbers.ts';
import type { Day } from './use-audit.ts';

const maxCount = 1000;

/** `8`, `more than 1,000`, `at least 3` if the server did not search the whole day. */
export const countText = ({ count: found, is_exact: isExact }: Day['entries']): string => {
  if (isExact) return count(found);
  return found >= maxCount ? `more than ${count(maxCount)}` : `at least ${count(found)}`;
};

const capitalised = (text: string) => text.charAt(0).toUpperCase() + text.slice(1);

const entriesOf = (counted: Day['entries']) =>
  `${capitalised(countText(counted))} ${counted.count === 1 && counted.is_exact ? 'entry' : 'entries'}`;

/** Undefined if the server found none of those that are shown before it stopped. */
export const shownText = ({ entries }: Pick<Day, 'entries'>, byPeople: boolean): string | undefined =>
  entries.count === 0 && !entries.is_exact ? undefined : `${entriesOf(entries)}${byPeople ? ' by people' : ''}.`;

/** Undefined if none are hidden. */
export function hiddenText({ hidden }: Pick<Day, 'hidden'>): string | undefined {
  if (hidden.count === 0) {
    return hidden.is_exact ? undefined : 'Entries by service accounts and workflows are hidden.';
  }
  const verb = hidden.count === 1 && hidden.is_exact ? 'is' : 'are';
  return `${capitalised(countText(hidden))} by service accounts and workflows ${verb} hidden.`;
}
