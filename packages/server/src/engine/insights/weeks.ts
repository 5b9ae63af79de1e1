/** Weeks begin on Monday, in UTC, and are named by this day. */
const dayMs = 86_400_000;

const dayOf = (time: number): string => new Date(time).toISOString().slice(0, 10);

/** The weeks up to the current one, oldest first. */
export function weeksUpTo(now: Date, weeks: number): string[] {
  const today = Date.parse(dayOf(now.getTime()));
  const monday = today - ((now.getUTCDay() + 6) % 7) * dayMs;
  return Array.from({ length: weeks }, (_, index) => dayOf(monday - (weeks - 1 - index) * 7 * dayMs));
}

/** The day so many weeks later, which need not be a whole number. */
export const dayAfter = (day: string, weeks: number): string => dayOf(Date.parse(day) + Math.ceil(weeks * 7) * dayMs);
