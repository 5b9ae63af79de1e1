/** Checks dates and times in requests. A date that does not exist is rejected, not shifted. */

const day = '(\\d{4})-(\\d{2})-(\\d{2})';
const clock = '([01]\\d|2[0-3]):[0-5]\\d(:[0-5]\\d(\\.\\d{1,6})?)?';
const zone = '(Z|[+-]([01]\\d|2[0-3]):[0-5]\\d)';

const dayOnly = new RegExp(`^${day}$`);
const dayAndClock = new RegExp(`^${day}[Tt ]${clock}${zone}?$`);
const moment = new RegExp(`^${day}[Tt]${clock}${zone}$`);

export const calendarDate = (text: string) => exists(dayOnly.exec(text));
export const dateTime = (text: string) => exists(moment.exec(text));
export const scanDate = (text: string) => calendarDate(text) || exists(dayAndClock.exec(text));

const localMoment = new RegExp(`^${day}[Tt]${clock}$`);
const midnight = new RegExp(`^(${day})[Tt ]00:00(:00(\\.0{1,6})?)?${zone}?$`);

/** A time without an offset is in UTC. Any other text stays as it is. */
export const withOffset = (text: string) => (localMoment.test(text) ? `${text}Z` : text);

/** The day of a time at midnight, not shifted by its offset. Any other text stays as it is. */
export const dayAtMidnight = (text: string) => midnight.exec(text)?.[1] ?? text;

/** Whether the day exists. PostgreSQL has no year 0. */
function exists(match: RegExpExecArray | null): boolean {
  if (!match) return false;
  const [year, month, date] = match.slice(1, 4).map(Number) as [number, number, number];
  const lastDay = new Date(Date.UTC(2000, month, 0)).getUTCDate();
  const leap = year % 4 === 0 && (year % 100 !== 0 || year % 400 === 0);
  return year > 0 && month >= 1 && month <= 12 && date >= 1 && date <= (month === 2 && !leap ? 28 : lastDay);
}
