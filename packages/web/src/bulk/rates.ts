/** How fast a bulk operation runs, as a choice with an estimate. */
import { durationText } from '../ui/times.ts';
import { count } from '../ui/numbers.ts';

/** The most that a request can ask for. An operator can set a lower limit for all operations. */
const fastest = 100_000;
const rates = [10, 50, 200, fastest];
export const usualRate = '50';

export const rateChoices = (experiments: number): { value: string; label: string }[] =>
  rates.map((rate) => {
    const limit = rate === fastest ? 'As fast as allowed' : `Up to ${count(rate)} a second`;
    const isKnown = experiments > 0 && rate !== fastest;
    return {
      value: String(rate),
      label: isKnown ? `${limit}, about ${durationText(Math.ceil(experiments / rate))}` : limit,
    };
  });
