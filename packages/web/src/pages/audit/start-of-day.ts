/** When a calendar day begins where the reader is, or one so many days later; undefined for what is no day. */
export function startOfDay(day: string | undefined, later = 0): string | undefined {
  const [, year, month, date] = /^(\d{4})-(\d{2})-(\d{2})$/.exec(day ?? '') ?? [];
  // Of the first years a Date would make others.
  if (year === undefined || Number(year) < 1900) return undefined;
  const start = new Date(Number(year), Number(month) - 1, Number(date) + later);
  return Number.isNaN(start.getTime()) ? undefined : start.toISOString();
}
