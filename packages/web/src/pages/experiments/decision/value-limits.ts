/** A value and its limits in words. */
import type { ShownValue } from './use-decision.ts';

export interface ValueText {
  value: string;
  limit: string;
  /** Undefined if there is no limit or no number. */
  verdict: { isWithin: boolean; text: string } | undefined;
}

export function valueText(shown: ShownValue, value: unknown): ValueText {
  const unit = (number: unknown) => (shown.unit === null ? String(number) : `${String(number)} ${shown.unit}`);
  const known = value !== undefined && value !== null;
  const text = typeof value === 'object' ? JSON.stringify(value) : unit(value);
  return {
    value: known ? text : 'Not set',
    limit: limitText(shown, unit),
    verdict: typeof value === 'number' ? verdictOf(shown, value, unit) : undefined,
  };
}

type Unit = (number: unknown) => string;

function limitText({ min, max }: ShownValue, unit: Unit): string {
  if (min !== null && max !== null) return `${unit(min)} to ${unit(max)}`;
  if (max !== null) return `Limit ${unit(max)}`;
  return min === null ? '' : `At least ${unit(min)}`;
}

/** Without the noise of binary fractions: 1.56 - 1.2 is 0.36. */
const difference = (a: number, b: number) => Number((a - b).toPrecision(10));

function verdictOf({ min, max }: ShownValue, value: number, unit: Unit): ValueText['verdict'] {
  if (max !== null && value > max) return { isWithin: false, text: `${unit(difference(value, max))} over the limit` };
  if (min !== null && value < min)
    return { isWithin: false, text: `${unit(difference(min, value))} below the minimum` };
  return min === null && max === null ? undefined : { isWithin: true, text: 'Within the limits' };
}
