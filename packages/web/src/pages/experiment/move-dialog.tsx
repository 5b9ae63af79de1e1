import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { client } from '../../api/client.ts';
import { announceDone } from '../../shown/announcements.tsx';
import { DialogForm, FormDialog } from '../../shown/form-dialog.tsx';
import { ReasonField } from '../../shown/reason-field.tsx';
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
  <FormDialog opened={chosen !== undefined} onClose={onClose}>
    {chosen ? <MoveForm key={chosen.id} experiment={experiment} chosen={chosen} onClose={onClose} /> : null}
  </FormDialog>
);

interface Move {
  destination: string;
  reason: string;
}

/**
 * The state that the dialog shows goes with the request: if somebody else has moved the experiment meanwhile, the server
 * refuses and says so, and nobody's move is lost.
 */
const useMove = ({ id, label, state }: Overview, onDone: () => void) =>
  useMutation({
    mutationFn: ({ destination, reason }: Move) =>
      client.setExperimentState({
        params: { id },
        body: { state_label: destination, freetext: reason, expected_state: state.label },
      }),
    onSuccess: ({ state: reached }) => {
      announceDone(`${label} is in ${reached.label}.`);
      onDone();
    },
  });

function MoveForm({ experiment, chosen, onClose }: Props & { chosen: Way }) {
  const [destination, setDestination] = useState(chosen.destination_state.label);
  const [reason, setReason] = useState('');
  // As it was when the dialog opened: what changes under the pointer makes people choose what they did not want.
  const [seen] = useState(experiment);
  const move = useMove(seen, onClose);
  const submit = () => move.mutate({ destination, reason: reason.trim() });
  return (
    <DialogForm title="Move" action="Move" sending={move} onSubmit={submit} onClose={onClose}>
      <p>
        <bdi>{seen.label}</bdi> from <StateChip state={seen.state} /> to
      </p>
      <Destinations
        ways={seen.transitions.filter(({ allowed }) => allowed)}
        value={destination}
        onChange={setDestination}
      />
      <ReasonField value={reason} onChange={setReason} placeholder="Kept with the move, for whoever asks later" />
    </DialogForm>
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
