import { useNow } from './now.ts';
import { useTimeDisplay } from './time-display.ts';
import {
  allFormats,
  calendarDay,
  durationText,
  localText,
  relativeText,
  secondsBetween,
  shortText,
  utcText,
} from './times.ts';
import { tooltip } from './tooltip.tsx';

interface Props {
  at: string;
  /**
   * `for`: for 2 h 10 min. `ago`: 2 h 10 min ago. `short`: 14 Nov, 07:31. `past`: like `ago`, but never in the future, even
   * if the browser's clock is behind.
   */
  as?: 'for' | 'ago' | 'short' | 'past';
}

const relative = {
  for: (at: string, now: Date) => `for ${durationText(secondsBetween(at, now))}`,
  ago: relativeText,
  short: shortText,
  past: (at: string, now: Date) => relativeText(at, new Date(Math.max(now.getTime(), Date.parse(at)))),
};

/** A time, with all formats in its tooltip. */
export function Timestamp({ at, as = 'ago' }: Props) {
  const now = useNow();
  const display = useTimeDisplay();
  const absolute = display === 'relative' ? undefined : display === 'utc' ? utcText(at) : localText(at);
  const words = absolute === undefined ? relative[as](at, now) : as === 'for' ? `since ${absolute}` : absolute;
  return (
    <time dateTime={at} {...tooltip(allFormats(at, now))}>
      {words}
    </time>
  );
}

/** The day of a scan in the scanner's time zone. */
export const ScanDay = ({ scandate }: { scandate: string | null }) =>
  scandate === null ? <span>no scan date</span> : <time dateTime={scandate}>{calendarDay(scandate)}</time>;
