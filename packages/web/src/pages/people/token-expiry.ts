/** The lifetimes that users can choose for an API token, in days. */
export const expiries = [
  { value: '7', label: '7 days' },
  { value: '30', label: '30 days' },
  { value: '90', label: '90 days' },
  { value: '180', label: '180 days' },
  { value: '365', label: '365 days' },
] as const;

export const defaultExpiry = '90';

const dayMilliseconds = 86_400_000;

/** The expiry date as the API expects it. */
export const expiryAfter = (days: string, now: Date): string =>
  new Date(now.getTime() + Number(days) * dayMilliseconds).toISOString();
