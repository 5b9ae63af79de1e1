import { localDay } from '../ui/times.ts';

/** The day after a number of days, in the time zone of the user. */
export const dayIn = (today: Date, days: number): string =>
  localDay(new Date(today.getFullYear(), today.getMonth(), today.getDate() + days));

/** 08:00 of a day in the time zone of the user. */
export const morningOf = (day: string): string => new Date(`${day}T08:00:00`).toISOString();
