/** For how long a token may be used, as people choose it. */
export const expiries = [
  { value: '7', label: '7 days' },
  { value: '30', label: '30 days' },
  { value: '90', label: '90 days' },
  { value: '180', label: 'Half a year' },
  { value: '365', label: 'A year' },
] as const;

export const usualExpiry = '90';

const dayMilliseconds = 86_400_000;

/** So many days from now, as the interface takes it. */
export const endAfter = (days: string, now: Date): string =>
  new Date(now.getTime() + Number(days) * dayMilliseconds).toISOString();
