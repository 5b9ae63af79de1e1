/** The scanner's local time. An offset is dropped, and a date without a time means midnight (docs/decisions/0002). */
export const readScandate = (text: string): string => {
  const clock = text.replace(/(Z|[+-]\d\d:\d\d)$/i, (zone, _all, offset: number) => (offset > 10 ? '' : zone));
  return clock.length === 10 ? `${clock}T00:00:00` : clock.replace(/^(.{10})[ t]/, '$1T');
};
