/** A value and its limits in words and as a bar. */
import type { ShownValue } from './use-decision.ts';

export interface ValueText {
  value: string;
  isKnown: boolean;
  limit: string;
  /** Undefined if there is no limit or no number. */
  verdict: { isWithin: boolean; text: string } | undefined;
}

export function valueText(shown: ShownValue, value: unknown): ValueText {
  const unit = (number: unknown) => (shown.unit === null ? String(number) : `${String(number)} ${shown.unit}`);
  const isKnown = value !== undefined && value !== null;
  const text = typeof value === 'object' ? JSON.stringify(value) : unit(value);
  return {
    value: isKnown ? text : 'Not set',
    isKnown,
    limit: limitText(shown, unit),
    verdict: typeof value === 'number' ? verdictOf(shown, value, unit) : undefined,
  };
}

type Unit = (number: unknown) => string;
type Limits = Pick<ShownValue, 'min' | 'max'>;

function limitText({ min, max }: Limits, unit: Unit): string {
  if (min !== null && max !== null) return `Limits ${unit(min)} to ${unit(max)}`;
  if (max !== null) return `Limit ${unit(max)}`;
  return min === null ? '' : `Needs at least ${unit(min)}`;
}

/** Without the noise of binary fractions: 1.56 - 1.2 is 0.36. */
const difference = (a: number, b: number) => Number((a - b).toPrecision(10));

function verdictOf(limits: Limits, value: number, unit: Unit): ValueText['verdict'] {
  const { min, max } = limits;
  if (max !== null && value > max) return { isWithin: false, text: `${unit(difference(value, max))} over the limit` };
  if (min !== null && value < min)
    return { isWithin: false, text: `${unit(difference(min, value))} below the minimum` };
  return min === null && max === null ? undefined : { isWithin: true, text: withinText(limits, value) };
}

function withinText({ min, max }: Limits, value: number): string {
  if (min !== null && max !== null) return 'Within the limits';
  if (max !== null) return value === max ? 'At the limit' : 'Below the limit';
  return value === min ? 'At the minimum' : 'Above the minimum';
}

export interface Bar {
  /** Shares of the width, from 0 to 1. */
  fill: number;
  ticks: number[];
}

/** A single limit is at this share of the bar, so that there is space on both sides. */
const limitAt = 0.6;

/** The bar starts at 0, unless the value or a limit is negative. Undefined without a limit, or if everything is 0. */
export function barOf({ min, max }: Limits, value: unknown): Bar | undefined {
  const limits = [min, max].filter((limit) => limit !== null);
  if (typeof value !== 'number' || limits.length === 0) return undefined;
  const ends = [0, value, ...limits.map((limit) => limit / limitAt)];
  const [low, high] = [Math.min(...ends), Math.max(...ends)];
  const share = (point: number) => (point - low) / (high - low);
  return high === low ? undefined : { fill: share(value), ticks: limits.map(share) };
}
