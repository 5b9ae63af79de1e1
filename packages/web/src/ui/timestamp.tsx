import { useNow } from './now.ts';
import { useTimeDisplay } from './time-display.ts';
import {
  allFormats,
  calendarDay,
  dueText,
  durationText,
  exactText,
  localText,
  pastText,
  relativeText,
  secondsBetween,
  shortText,
  utcText,
} from './times.ts';
import { tooltip } from './tooltip.tsx';

interface Props {
  at: string;
  /**
   * `for`: for 2 h 10 min. `past`: 2 h 10 min ago, and never in the future, because the clock of the page lags behind events
   * that have just arrived. `until`: in 2 h 10 min, for times that can be in the future. `due`: in 2 h 10 min, or 20 h overdue.
   * `length`: 2 h 10 min. `short`: 14 Nov, 07:31. `exact`: 14 Nov, 07:31:09.
   */
  as?: 'for' | 'past' | 'until' | 'due' | 'length' | 'short' | 'exact';
}

const relative = {
  for: (at: string, now: Date) => `for ${durationText(secondsBetween(at, now))}`,
  past: pastText,
  until: relativeText,
  due: dueText,
  length: (at: string, now: Date) => durationText(Math.max(0, secondsBetween(at, now))),
  short: shortText,
  exact: exactText,
};

/** Before an absolute time. */
const prefixes: Partial<Record<NonNullable<Props['as']>, string>> = { for: 'since', length: 'since' };

/** A time, with all formats in its tooltip. */
export function Timestamp({ at, as = 'past' }: Props) {
  const now = useNow();
  const display = useTimeDisplay();
  const absolute = display === 'relative' ? undefined : display === 'utc' ? utcText(at) : localText(at);
  const words =
    absolute === undefined
      ? relative[as](at, now)
      : prefixes[as] === undefined
        ? absolute
        : `${prefixes[as]} ${absolute}`;
  return (
    <time dateTime={at} {...tooltip(allFormats(at, now))}>
      {words}
    </time>
  );
}

/** The day of a scan in the scanner's time zone. */
export const ScanDay = ({ scandate }: { scandate: string | null }) =>
  scandate === null ? <span>no scan date</span> : <time dateTime={scandate}>{calendarDay(scandate)}</time>;
