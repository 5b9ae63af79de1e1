/** Times and durations as text. A scan date is the scanner's local time without a zone, so it is cut and never converted. */

const units = [
  ['d', 86_400],
  ['h', 3_600],
  ['min', 60],
] as const;

/** The two largest units: `4 d 3 h`, `2 h 10 min`, `40 s`, `< 1 s`. */
export function durationText(seconds: number): string {
  if (seconds < 1) return '< 1 s';
  const whole = Math.floor(seconds);
  if (whole < 60) return `${whole} s`;
  const first = units.findIndex(([, size]) => whole >= size);
  const parts = units.slice(first, first + 2).map(([unit, size], index) => {
    const rest = index === 0 ? whole : whole % (units[first]?.[1] ?? 1);
    return [Math.floor(rest / size), unit] as const;
  });
  return parts
    .filter(([count], index) => index === 0 || count > 0)
    .map(([count, unit]) => `${count} ${unit}`)
    .join(' ');
}

/** With seconds up to ten minutes: `2.4 s`, `2 min 5 s`, `18 min`. */
export function preciseDurationText(seconds: number): string {
  if (seconds >= 1 && seconds < 10) return `${seconds.toFixed(1)} s`;
  const rest = Math.floor(seconds) % 60;
  return seconds < 60 || seconds >= 600 || rest === 0 ? durationText(seconds) : `${durationText(seconds)} ${rest} s`;
}

export const secondsBetween = (from: string, to: Date): number => (to.getTime() - Date.parse(from)) / 1000;

export function relativeText(at: string, now: Date): string {
  const seconds = secondsBetween(at, now);
  if (Math.abs(seconds) < 1) return 'now';
  return seconds > 0 ? `${durationText(seconds)} ago` : `in ${durationText(-seconds)}`;
}

/** For a due time: `in 8 h`, `20 h overdue`. */
export function dueText(at: string, now: Date): string {
  const seconds = secondsBetween(at, now);
  return seconds < 0 ? `in ${durationText(-seconds)}` : `${durationText(seconds)} overdue`;
}

/** For events of the past. One that is newer than the clock of the page has happened now. */
export const pastText = (at: string, now: Date): string =>
  relativeText(at, new Date(Math.max(now.getTime(), Date.parse(at))));

const wholeOptions = { dateStyle: 'medium', timeStyle: 'long' } as const;
const utcFormat = new Intl.DateTimeFormat('en-GB', { ...wholeOptions, timeZone: 'UTC' });
/** `14 Nov 2026, 07:31:09 UTC`. */
export const utcText = (at: string): string => utcFormat.format(new Date(at));

const localFormat = new Intl.DateTimeFormat('en-GB', wholeOptions);
/** `14 Nov 2026, 08:31:09 CET`, in the user's time zone. */
export const localText = (at: string): string => localFormat.format(new Date(at));

const shortOptions = { day: 'numeric', month: 'short', hour: '2-digit', minute: '2-digit' } as const;
const shortFormat = new Intl.DateTimeFormat('en-GB', shortOptions);
/** `14 Nov, 07:31`, in the user's time zone. */
export const shortText = (at: string): string => shortFormat.format(new Date(at));

const exactFormat = new Intl.DateTimeFormat('en-GB', { ...shortOptions, second: '2-digit' });
/** `14 Nov, 07:31:09`, where several events happen in a minute. */
export const exactText = (at: string): string => exactFormat.format(new Date(at));

/** All three formats, for a tooltip. */
export const allFormats = (at: string, now: Date): string =>
  [relativeText(at, now), localText(at), utcText(at)].join('\n');

/** The day of a scan date. */
export const calendarDay = (scandate: string): string => scandate.slice(0, 10);

const twoDigits = (value: number) => String(value).padStart(2, '0');

/** The local calendar day, such as `2026-03-01`. */
export const localDay = (time: Date): string =>
  `${time.getFullYear()}-${twoDigits(time.getMonth() + 1)}-${twoDigits(time.getDate())}`;

/** The start of a calendar day, or of the day `later` days after it, in the browser's time zone. Undefined if invalid. */
export function startOfDay(day: string | undefined, later = 0): string | undefined {
  const [, year, month, date] = /^(\d{4})-(\d{2})-(\d{2})$/.exec(day ?? '') ?? [];
  // Date reads the years 0 to 99 as 1900 to 1999.
  if (year === undefined || Number(year) < 1900) return undefined;
  const start = new Date(Number(year), Number(month) - 1, Number(date) + later);
  return Number.isNaN(start.getTime()) ? undefined : start.toISOString();
}
