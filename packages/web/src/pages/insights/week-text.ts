/** Weeks as text. A week is named by its Monday in UTC, so it is formatted in UTC. */
const day = new Intl.DateTimeFormat('en-GB', { day: 'numeric', month: 'short', timeZone: 'UTC' });
const month = new Intl.DateTimeFormat('en-GB', { month: 'short', year: 'numeric', timeZone: 'UTC' });
const whole = new Intl.DateTimeFormat('en-GB', { day: 'numeric', month: 'short', year: 'numeric', timeZone: 'UTC' });

const dayMilliseconds = 86_400_000;
const timeOf = (date: string) => Date.parse(`${date}T00:00:00Z`);

/** `9 Nov`. */
export const dayText = (date: string): string => day.format(timeOf(date));

/** `9 Nov 2026`. */
export const wholeDayText = (date: string): string => whole.format(timeOf(date));

export const dayAfter = (date: string, days: number): string =>
  new Date(timeOf(date) + days * dayMilliseconds).toISOString().slice(0, 10);

export const daysBetween = (from: string, to: string): number => (timeOf(to) - timeOf(from)) / dayMilliseconds;

/** `12 Feb and 3 Apr 2027`, or with both years if they differ. */
export const betweenText = (from: string, to: string): string =>
  `${from.slice(0, 4) === to.slice(0, 4) ? dayText(from) : wholeDayText(from)} and ${wholeDayText(to)}`;

/** `Week of 9 Nov`, with the year if it is not that of the last week, which is not over. */
export function weekText(weeks: readonly string[], index: number): string {
  if (index === weeks.length - 1) return 'This week so far';
  const week = weeks[index] ?? '';
  return `Week of ${week.slice(0, 4) === weeks.at(-1)?.slice(0, 4) ? dayText(week) : wholeDayText(week)}`;
}

/** `End of the week of 9 Nov`, or `Now`: when experiments were in a state. */
export const weekEndText = (weeks: readonly string[], index: number): string =>
  index === weeks.length - 1 ? 'Now' : `End of the ${weekText(weeks, index).replace('Week', 'week')}`;

/** Beyond half a year, weeks are named by their month. */
const maxDays = 26;

export interface WeekTick {
  index: number;
  text: string;
}

/** The weeks that are named at an axis, at most `most`. */
export function weekTicks(weeks: readonly string[], most: number): WeekTick[] {
  const step = Math.max(1, Math.ceil(weeks.length / most));
  const text = (week: string) => (weeks.length > maxDays ? month.format(timeOf(week)) : dayText(week));
  return weeks.flatMap((week, index) => (index % step === 0 ? [{ index, text: text(week) }] : []));
}

export interface MonthTick {
  date: string;
  text: string;
}

/** The first days of months after `from` up to `to`, at most `most`. January is named by its year. */
export function monthTicks(from: string, to: string, most: number): MonthTick[] {
  const [year = 0, first = 0] = from.split('-').map(Number);
  const months = Math.max(0, Math.ceil(daysBetween(from, to) / 28));
  const starts = Array.from({ length: months }, (_, index) =>
    new Date(Date.UTC(year, first + index, 1)).toISOString().slice(0, 10),
  ).filter((date) => date <= to);
  const step = Math.max(1, Math.ceil(starts.length / most));
  const text = (date: string) => {
    const name = month.format(timeOf(date));
    return date.slice(5, 7) === '01' || step >= 12 ? name.slice(-4) : name.slice(0, 3);
  };
  return starts.filter((_, index) => index % step === step - 1).map((date) => ({ date, text: text(date) }));
}
