/** Dates as spreadsheets write them: `2026-11-02`, `2026-11-02 08:30`, `2.11.2026`. */

const iso = /^(\d{4})-(\d{1,2})-(\d{1,2})(?:[T ](\d{1,2}):(\d{2})(?::(\d{2})(?:\.\d+)?)?)?$/;
const dotted = /^(\d{1,2})\.(\d{1,2})\.(\d{4})(?: (\d{1,2}):(\d{2})(?::(\d{2}))?)?$/;

const two = (text = '0') => text.padStart(2, '0');

/** `2026-11-02T08:30:00`, or undefined if it is not a date of the calendar. */
export function readDate(text: string): string | undefined {
  const [, year = '', month, day, ...time] = iso.exec(text) ?? inOrder(dotted.exec(text));
  // PostgreSQL has no year 0.
  if (year === '' || year === '0000') return undefined;
  const written = `${year}-${two(month)}-${two(day)}T${two(time[0])}:${two(time[1])}:${two(time[2])}`;
  const read = new Date(`${written}Z`);
  return Number.isNaN(read.getTime()) || read.toISOString().slice(0, 19) !== written ? undefined : written;
}

const inOrder = (match: RegExpExecArray | null): readonly (string | undefined)[] =>
  match ? [match[0], match[3], match[2], match[1], ...match.slice(4)] : [];

/** Users are up to 14 hours ahead of UTC. */
export const isFuture = (date: string, now: Date): boolean =>
  new Date(`${date}Z`).getTime() > now.getTime() + 14 * 3_600_000;
