/** `41%`, or `<1%` for a small part. */
export const percentText = (part: number): string => (part > 0 && part < 0.005 ? '<1%' : `${Math.round(part * 100)}%`);
