/** How fast bulk operations and imports run. */

interface Work {
  status: string;
  waiting_for: string | null;
  per_minute: number | null;
  ready: number;
}

export function showPace({ status, waiting_for, per_minute: perMinute, ready }: Work) {
  const perSecond = status === 'running' && waiting_for === null && perMinute ? perMinute / 60 : null;
  return { waiting_for, per_second: perSecond, seconds_left: perSecond === null ? null : Math.ceil(ready / perSecond) };
}
