/** A date as it is stored: `2026-11-02` for `02.11.2026`. Other texts stay as they are. */
export const storedDay = (text: string): string =>
  text
    .trim()
    .replace(/^(\d{1,2})\.(\d{1,2})\.(\d{4})\b/, (_, day: string, month: string, year: string) =>
      [year, month.padStart(2, '0'), day.padStart(2, '0')].join('-'),
    );
