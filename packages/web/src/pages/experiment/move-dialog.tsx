import { Button, Modal, Textarea } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { useState, type FormEvent } from 'react';
import { client } from '../../api/client.ts';
import { announceDone } from '../../shown/announcements.tsx';
import { ProblemNote } from '../../shown/problem-note.tsx';
import { StateChip } from '../../shown/state-chip.tsx';
import type { Overview, Way } from './use-experiment.ts';
import styles from './move-dialog.module.css';

interface Props {
  experiment: Overview;
  /** The way that one wants to take; undefined: the dialog is closed. */
  chosen: Way | undefined;
  onClose: () => void;
}

export const MoveDialog = ({ experiment, chosen, onClose }: Props) => (
  <Modal
    opened={chosen !== undefined}
    onClose={onClose}
    size={480}
    title="Move"
    closeButtonProps={{ 'aria-label': 'Close' }}
  >
    {chosen ? <MoveForm experiment={experiment} chosen={chosen} onClose={onClose} /> : null}
  </Modal>
);

interface Move {
  destination: string;
  reason: string;
}

/**
 * The state that was shown when the dialog opened goes with the request: if somebody else has moved the experiment
 * meanwhile, the server refuses and says so, and nobody's move is lost.
 */
function useMove({ id, label, state }: Overview, onDone: () => void) {
  const [expected] = useState(state.label);
  return useMutation({
    mutationFn: ({ destination, reason }: Move) =>
      client.setExperimentState({
        params: { id },
        body: { state_label: destination, freetext: reason, expected_state: expected },
      }),
    onSuccess: ({ state: reached }) => {
      announceDone(`${label} is in ${reached.label}.`);
      onDone();
    },
  });
}

function MoveForm({ experiment, chosen, onClose }: Props & { chosen: Way }) {
  const [destination, setDestination] = useState(chosen.destination_state.label);
  const [reason, setReason] = useState('');
  // As they were when the dialog opened: a list that changes under the pointer makes people choose what they did not want.
  const [open] = useState(() => experiment.transitions.filter(({ allowed }) => allowed));
  const move = useMove(experiment, onClose);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    move.mutate({ destination, reason: reason.trim() });
  };
  return (
    <form className={styles['form']} onSubmit={submit}>
      <p className={styles['from']}>
        <bdi>{experiment.label}</bdi> from <StateChip state={experiment.state} /> to
      </p>
      <Destinations ways={open} value={destination} onChange={setDestination} />
      <Textarea
        label="Reason"
        description="Kept with the move, for whoever asks later."
        data-autofocus
        autosize
        minRows={2}
        maxRows={8}
        maxLength={10_000}
        dir="auto"
        value={reason}
        onChange={({ currentTarget }) => setReason(currentTarget.value)}
      />
      {move.error ? <ProblemNote error={move.error} /> : null}
      <div className={styles['buttons']}>
        <Button onClick={onClose}>Cancel</Button>
        <Button type="submit" variant="filled" loading={move.isPending}>
          Move
        </Button>
      </div>
    </form>
  );
}

interface DestinationsProps {
  ways: readonly Way[];
  value: string;
  onChange: (label: string) => void;
}

/** Several ways may lead to the same state: it stands here once. */
function Destinations({ ways, value, onChange }: DestinationsProps) {
  const states = [...new Map(ways.map(({ destination_state: state }) => [state.id, state])).values()];
  return (
    <fieldset className={styles['destinations']}>
      <legend>Destination</legend>
      {states.map((state) => (
        <label key={state.id}>
          <input
            type="radio"
            name="destination"
            checked={state.label === value}
            onChange={() => onChange(state.label)}
          />
          <StateChip state={state} />
        </label>
      ))}
    </fieldset>
  );
}
