/** Chooses the day whose counts the graph shows. The day is in the URL. */
import { Button, TextInput } from '@mantine/core';
import { useEffect, useState, type ChangeEvent } from 'react';
import { followUrl, type TypedText } from '../../filters/text-filter.tsx';
import { useFilters } from '../../filters/use-filters.ts';
import { useToday } from '../../ui/now.ts';
import { countOf } from '../../ui/numbers.ts';
import { dayAfter, daysBetween, wholeDayText } from '../insights/week-text.ts';
import { earliestDay, elsewhere, firstDay, isBetween, pastDay } from './past-day.ts';
import { useHistory, type PastCounts } from './use-past-counts.ts';
import styles from './workflow.module.css';

const pauseMilliseconds = 200;

/** The past day of the URL. */
export function usePastDay(): string | undefined {
  const { textOf } = useFilters();
  return pastDay(textOf('at'), useToday());
}

/** The day that the user chooses, which is written to the URL once it rests. */
function useChosenDay(today: string, first: string) {
  const { set } = useFilters();
  const inUrl = usePastDay() ?? today;
  const [before, setTyped] = useState<TypedText>({ text: inUrl, inUrl });
  const typed = followUrl(before, inUrl);
  if (typed !== before) setTyped(typed);
  const { text, sent } = typed;
  useEffect(() => {
    if (text === inUrl || text === sent || !isBetween(text, first, today)) return undefined;
    const timer = setTimeout(() => {
      setTyped((now) => ({ ...now, sent: text }));
      set({ at: text === today ? undefined : text });
    }, pauseMilliseconds);
    return () => clearTimeout(timer);
  });
  const choose = (day: string) => setTyped((now) => ({ ...now, text: day }));
  return { text, inUrl, choose };
}

interface Props {
  workflowId: number;
  states: readonly { id: number }[];
  /** The counts that the graph shows. Undefined for the present ones. */
  past: PastCounts | undefined;
}

/** Absent until the workflow has a history. */
export function AsOf({ workflowId, states, past }: Props) {
  const today = useToday();
  const history = useHistory(workflowId);
  const first = history.data && firstDay(history.data.flow, today);
  const isPast = usePastDay() !== undefined;
  if (first === undefined && history.data !== undefined && !isPast) return null;
  return (
    <div className={styles['asOf']}>
      <Day today={today} first={first ?? earliestDay(today)} />
      {past ? <PastNote past={past} states={states} /> : null}
    </div>
  );
}

function Day({ today, first }: { today: string; first: string }) {
  const { text, inUrl, choose } = useChosenDay(today, first);
  const isChosen = isBetween(text, first, today);
  const day = isChosen ? text : inUrl;
  const onText = ({ currentTarget }: ChangeEvent<HTMLInputElement>) => choose(currentTarget.value);
  return (
    <>
      <label className={styles['day']}>
        As of
        <span className={styles['date']} data-shown={isChosen || undefined}>
          <TextInput
            type="date"
            value={text}
            min={first}
            max={today}
            onChange={onText}
            error={!isChosen && text !== '' && text !== inUrl}
          />
          <span aria-hidden="true">{wholeDayText(day)}</span>
        </span>
      </label>
      <input
        type="range"
        aria-label="Day"
        aria-valuetext={day === today ? 'Now' : wholeDayText(day)}
        min={-daysBetween(first, today)}
        max={0}
        value={-daysBetween(day, today)}
        onChange={({ currentTarget }) => choose(dayAfter(today, currentTarget.valueAsNumber))}
      />
    </>
  );
}

function PastNote({ past, states }: { past: PastCounts; states: Props['states'] }) {
  const { set } = useFilters();
  const others = elsewhere(past, states);
  return (
    <>
      <p role="status">
        Counts at the end of {wholeDayText(past.at)} (UTC).
        {others === 0 ? null : ` ${countOf(others, 'experiment')} in states that the workflow no longer has.`}
        {past.counted.rebuilding ? ' Older experiments are still being counted.' : null}
      </p>
      <Button variant="subtle" onClick={() => set({ at: undefined })}>
        Show now
      </Button>
    </>
  );
}
