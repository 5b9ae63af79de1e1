/** The start of a calendar day, or of the day `later` days after it, in the browser's time zone. Undefined if invalid. */
export function startOfDay(day: string | undefined, later = 0): string | undefined {
  const [, year, month, date] = /^(\d{4})-(\d{2})-(\d{2})$/.exec(day ?? '') ?? [];
  // Date reads the years 0 to 99 as 1900 to 1999.
  if (year === undefined || Number(year) < 1900) return undefined;
  const start = new Date(Number(year), Number(month) - 1, Number(date) + later);
  return Number.isNaN(start.getTime()) ? undefined : start.toISOString();
}
