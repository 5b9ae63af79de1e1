/** A scan date as a day and a time. Midnight means that the time is unknown. */
export interface ScanDateParts {
  day: string;
  time: string;
}

/** Inputs have whole seconds, and show them only if there are any. */
export function partsOf(scandate: string): ScanDateParts {
  const [day = '', rest = ''] = scandate.split('T');
  const time = rest.slice(0, 8).replace(/^(\d{2}:\d{2}):00$/, '$1');
  return { day, time: time === '00:00' ? '' : time };
}

export const scanDateOf = ({ day, time }: ScanDateParts): string =>
  day === '' || time === '' ? day : `${day}T${time}`;

/** The text of a stored scan date in the form. */
export const scanDateText = (scandate: string | null): string => scanDateOf(partsOf(scandate ?? ''));
