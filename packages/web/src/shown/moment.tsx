import { hint } from './hints.tsx';
import { useNow } from './now.ts';
import { useTimeDisplay } from './time-display.ts';
import {
  calendarDay,
  durationWords,
  everyWay,
  localWords,
  relativeWords,
  secondsBetween,
  shortWords,
  utcWords,
} from './times.ts';

interface Props {
  at: string;
  /**
   * `age`: 2 h 10 min. `ago`: 2 h 10 min ago. `short`: 14 Nov, 07:31. `past`: as ago, of what has been for certain: a
   * clock that is a few seconds behind does not put it into the future.
   */
  as?: 'age' | 'ago' | 'short' | 'past';
}

const unswitched = {
  age: (at: string, now: Date) => durationWords(secondsBetween(at, now)),
  ago: relativeWords,
  short: shortWords,
  past: (at: string, now: Date) => relativeWords(at, new Date(Math.max(now.getTime(), Date.parse(at)))),
};

/** A moment. On hover relative, local and in UTC. */
export function Moment({ at, as = 'ago' }: Props) {
  const now = useNow();
  const display = useTimeDisplay();
  const words = display === 'utc' ? utcWords(at) : display === 'local' ? localWords(at) : unswitched[as](at, now);
  return (
    <time dateTime={at} {...hint(everyWay(at, now))}>
      {words}
    </time>
  );
}

/** The day on the scanner's calendar, whatever the zone of the reader. */
export const ScanDay = ({ scandate }: { scandate: string | null }) =>
  scandate === null ? <span>no scan date</span> : <time dateTime={scandate}>{calendarDay(scandate)}</time>;
