import { hint } from './hints.tsx';
import { useNow } from './now.ts';
import { useTimeDisplay } from './time-display.ts';
import {
  allFormats,
  calendarDay,
  durationWords,
  localWords,
  relativeWords,
  secondsBetween,
  shortWords,
  utcWords,
} from './times.ts';

interface Props {
  at: string;
  /**
   * `for`: for 2 h 10 min. `ago`: 2 h 10 min ago. `short`: 14 Nov, 07:31. `past`: like `ago`, but never in the future, even
   * if the browser's clock is behind.
   */
  as?: 'for' | 'ago' | 'short' | 'past';
}

const relative = {
  for: (at: string, now: Date) => `for ${durationWords(secondsBetween(at, now))}`,
  ago: relativeWords,
  short: shortWords,
  past: (at: string, now: Date) => relativeWords(at, new Date(Math.max(now.getTime(), Date.parse(at)))),
};

/** A time, with all formats in its tooltip. */
export function Moment({ at, as = 'ago' }: Props) {
  const now = useNow();
  const display = useTimeDisplay();
  const absolute = display === 'relative' ? undefined : display === 'utc' ? utcWords(at) : localWords(at);
  const words = absolute === undefined ? relative[as](at, now) : as === 'for' ? `since ${absolute}` : absolute;
  return (
    <time dateTime={at} {...hint(allFormats(at, now))}>
      {words}
    </time>
  );
}

/** The day of a scan in the scanner's time zone. */
export const ScanDay = ({ scandate }: { scandate: string | null }) =>
  scandate === null ? <span>no scan date</span> : <time dateTime={scandate}>{calendarDay(scandate)}</time>;
