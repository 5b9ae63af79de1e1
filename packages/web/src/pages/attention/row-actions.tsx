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

/** A row has room for three short titles. */
const fits = (titles: readonly string[]) => titles.length <= 3 && titles.join('').length <= 26;

/** A button for each next state opens the form with this state selected. */
function DecideButtons({ item }: { item: AttentionRow }) {
  const open = useRowDialog();
  const exits = item.exits ?? [];
  if (exits.length === 0 || !fits(exits.map(({ title }) => title)))
    return (
      <Button aria-label={`Decide about ${item.experiment.label}`} onClick={() => open({ dialog: 'decide', item })}>
        Decide
      </Button>
    );
  return (
    <Button.Group>
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
