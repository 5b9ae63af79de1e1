/** Entries by the day on which they were written, in the browser's time zone. */
import { localDay } from '../../ui/times.ts';

export interface DayOf<E> {
  day: string;
  entries: E[];
}

/** In the given order, which is newest first. */
export function byDay<E extends { at: string }>(entries: readonly E[]): DayOf<E>[] {
  const days: DayOf<E>[] = [];
  for (const entry of entries) {
    const day = localDay(new Date(entry.at));
    const last = days.at(-1);
    // Writers of different chains can get ids and times in different orders.
    if (last && last.day <= day) last.entries.push(entry);
    else days.push({ day, entries: [entry] });
  }
  return days;
}

const format = new Intl.DateTimeFormat('en-GB', { weekday: 'long', day: 'numeric', month: 'long' });
const withYear = new Intl.DateTimeFormat('en-GB', { weekday: 'long', day: 'numeric', month: 'long', year: 'numeric' });

const dateOf = (day: string): Date =>
  new Date(Number(day.slice(0, 4)), Number(day.slice(5, 7)) - 1, Number(day.slice(8)));

/** `Today` and `Yesterday` are followed by their date. */
export function dayTitle(day: string, now: Date): { title: string; date: string | undefined } {
  const date = dateOf(day);
  const words = (date.getFullYear() === now.getFullYear() ? format : withYear).format(date).replace(',', '');
  const yesterday = localDay(new Date(now.getFullYear(), now.getMonth(), now.getDate() - 1));
  if (day === localDay(now)) return { title: 'Today', date: words };
  return day === yesterday ? { title: 'Yesterday', date: words } : { title: words, date: undefined };
}
