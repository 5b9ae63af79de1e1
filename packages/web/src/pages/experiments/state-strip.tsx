/** One thin bar with a segment for each stay in a state. */
import { useStateLooks } from '../../status/use-state-look.tsx';
import { useNow } from '../../ui/now.ts';
import { durationText, preciseDurationText } from '../../ui/times.ts';
import { Timestamp } from '../../ui/timestamp.tsx';
import { tooltip } from '../../ui/tooltip.tsx';
import { staysOf, type Stay, type Stays } from './time-in-state.ts';
import type { useTimeline } from './use-experiment.ts';
import styles from './state-strip.module.css';

interface Props {
  actions: ReturnType<typeof useTimeline>['actions'];
  /** The experiment is in a final state, where time no longer matters. */
  isFinal: boolean;
}

const useStays = ({ actions, isFinal }: Props): Stays => {
  const { stays, isComplete } = staysOf(actions, useNow());
  return { isComplete, stays: isFinal ? stays.filter(({ isCurrent }) => !isCurrent) : stays };
};

const sum = (stays: readonly Stay[]) => stays.reduce((total, { seconds }) => total + seconds, 0);

/** `5 d 22 h since arrival`. If older actions are not loaded, it says since when. */
export function TotalTime(props: Props) {
  const { stays, isComplete } = useStays(props);
  const [first] = stays;
  if (!first) return null;
  const start = isComplete ? 'arrival' : <Timestamp at={first.from} as="short" />;
  return (
    <span className={styles['total']}>
      {durationText(sum(stays))} {props.isFinal ? <>from {start} to the final state</> : <>since {start}</>}
    </span>
  );
}

export function StateStrip(props: Props) {
  const { stays } = useStays(props);
  const lookOf = useStateLooks();
  if (stays.length === 0) return null;
  const described = stays.map((stay) => {
    const { title, colour } = lookOf(stay.state);
    return { ...stay, colour, text: `${title}: ${preciseDurationText(stay.seconds)}` };
  });
  // A short stay is visible, too, and hundreds of them still fit.
  const atMost = (pixels: number, percent: number) => `min(${pixels}px, ${percent / stays.length}%)`;
  return (
    <div
      role="img"
      aria-label={`Time in each state. ${described.map(({ text }) => text).join(', ')}`}
      className={styles['strip']}
      style={{ gap: atMost(1, 20) }}
    >
      {described.map(({ id, seconds, colour, text }) => (
        <i key={id} style={{ flexGrow: seconds, minWidth: atMost(2, 60), background: colour }} {...tooltip(text)} />
      ))}
    </div>
  );
}
