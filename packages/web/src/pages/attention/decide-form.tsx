import { Button, Modal } from '@mantine/core';
import { Link } from 'react-router';
import type { Followed } from '../../follow-ups/followed.ts';
import { paths } from '../../paths.ts';
import { StateChip } from '../../status/state-chip.tsx';
import { QueryResult } from '../../ui/query-result.tsx';
import { DecisionPanel } from '../experiments/decision/decision-panel.tsx';
import { useDecision } from '../experiments/decision/use-decision.ts';
import { useOverview } from '../experiments/use-experiment.ts';
import styles from './attention.module.css';

interface Props {
  followed: Followed;
  /** The transition that is selected. */
  chosen?: number | undefined;
  onClose: () => void;
}

/** The same form as on the page of the experiment, without leaving the list. */
export function DecideForm({ followed: { experiment }, chosen, onClose }: Props) {
  const overview = useOverview(experiment.id);
  const decision = useDecision(experiment.id);
  return (
    <div className={styles['decide']}>
      <div className={styles['decideHead']}>
        <Modal.Title>
          <bdi>{experiment.label}</bdi>
        </Modal.Title>
        {overview.data ? <StateChip state={overview.data.state} /> : null}
        <Link to={paths.experiment(experiment.id)}>Open experiment</Link>
        <Button variant="subtle" onClick={onClose}>
          Close
        </Button>
      </div>
      <QueryResult query={overview} what="the experiment">
        {(shown) => (
          <QueryResult query={decision} what="the decision">
            {(of) =>
              of.waiting && of.state.id === shown.state.id ? (
                <DecisionPanel experiment={shown} decision={of} chosen={chosen} onDecided={onClose} />
              ) : (
                <p>This experiment no longer waits for a decision.</p>
              )
            }
          </QueryResult>
        )}
      </QueryResult>
    </div>
  );
}
