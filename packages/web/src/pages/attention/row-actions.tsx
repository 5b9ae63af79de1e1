import { Button } from '@mantine/core';
import { EndSnooze } from '../../follow-ups/end-snooze.tsx';
import { useCohortPermission } from '../../session/session-context.ts';
import { Icon } from '../../ui/icon.tsx';
import { tooltip } from '../../ui/tooltip.tsx';
import type { AttentionRow } from './attention-rows.ts';
import { RetryButton } from './retry-button.tsx';
import { useRowDialog } from './row-dialogs.tsx';
import styles from './attention.module.css';

/** The next step for a row, and a way to put it aside. A group and a queue are about many experiments. */
export function RowActions({ item }: { item: AttentionRow }) {
  const isOne = item.queue === null && !item.group;
  return (
    <span className={styles['actions']}>
      {item.kind === 'decide' ? <DecideButtons item={item} /> : <RetryButton item={item} />}
      {isOne ? <SnoozeButton item={item} /> : null}
    </span>
  );
}

/** A wide row has room for three short titles. */
const fits = (titles: readonly string[]) => titles.length > 0 && titles.length <= 3 && titles.join('').length <= 24;

/** A wide row has a button for each next state, which opens the form with this state selected (attention.module.css). */
function DecideButtons({ item }: { item: AttentionRow }) {
  const exits = item.exits ?? [];
  if (!fits(exits.map(({ title }) => title))) return <DecideButton item={item} />;
  return (
    <>
      <span className={styles['decideNarrow']}>
        <DecideButton item={item} />
      </span>
      <NextStates item={item} exits={exits} />
    </>
  );
}

function DecideButton({ item }: { item: AttentionRow }) {
  const open = useRowDialog();
  return (
    <Button aria-label={`Decide about ${item.experiment.label}`} onClick={() => open({ dialog: 'decide', item })}>
      Decide
    </Button>
  );
}

function NextStates({ item, exits }: Required<Pick<AttentionRow, 'exits'>> & { item: AttentionRow }) {
  const open = useRowDialog();
  return (
    <Button.Group className={styles['nextStates']}>
      {exits.map(({ transition_id: chosen, title }) => (
        <Button
          key={chosen}
          aria-label={`${title}: ${item.experiment.label}`}
          onClick={() => open({ dialog: 'decide', item, chosen })}
        >
          <bdi>{title}</bdi>
        </Button>
      ))}
    </Button.Group>
  );
}

function SnoozeButton({ item }: { item: AttentionRow }) {
  const open = useRowDialog();
  const maySnooze = useCohortPermission(item.cohort, 'sample_update');
  if (!maySnooze) return null;
  return item.snooze ? (
    <EndSnooze experiment={item.experiment} />
  ) : (
    <Button
      variant="subtle"
      className={styles['snooze'] ?? ''}
      aria-label={`Snooze ${item.experiment.label}`}
      {...tooltip('Snooze')}
      onClick={() => open({ dialog: 'snooze', item })}
    >
      <Icon name="timed_out" size={16} />
    </Button>
  );
}
