import { count } from '../ui/numbers.ts';
import { durationText } from '../ui/times.ts';

interface Pace {
  waiting_for: string | null;
  per_second: number | null;
  seconds_left: number | null;
}

/** `48.5 a second, about 8 s left` of a running bulk operation or import, or why it waits. */
export function paceText({ waiting_for: why, per_second: rate, seconds_left: left }: Pace): string {
  if (why !== null) return `Waiting. ${why}`;
  const pace = rate === null ? [] : [`${count(Math.round(rate * 10) / 10)} a second`];
  const rest = left === null ? [] : [`${left < 1 ? '' : 'about '}${durationText(left)} left`];
  return [...pace, ...rest].join(', ') || 'Starting…';
}
