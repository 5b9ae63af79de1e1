const twoDigits = (value: number) => String(value).padStart(2, '0');

/** The local calendar day, such as `2026-03-01`. */
export const dayOf = (moment: Date): string =>
  `${moment.getFullYear()}-${twoDigits(moment.getMonth() + 1)}-${twoDigits(moment.getDate())}`;
