import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { client } from '../../api/client.ts';
import { StateChip } from '../../status/state-chip.tsx';
import { useStateLooks } from '../../status/use-state-look.tsx';
import { announceDone } from '../../ui/announcements.tsx';
import { DialogForm, FormDialog } from '../../ui/form-dialog.tsx';
import { ReasonField } from '../../ui/reason-field.tsx';
import type { Overview, Transition } from './use-experiment.ts';
import styles from './move-dialog.module.css';

interface Props {
  experiment: Overview;
  /** The transition to take, or undefined if the dialog is closed. */
  chosen: Transition | undefined;
  onClose: () => void;
}

export const MoveDialog = ({ chosen, ...props }: Props) => (
  <FormDialog opened={chosen !== undefined} onClose={props.onClose}>
    {chosen ? <MoveForm key={chosen.id} chosen={chosen} {...props} /> : null}
  </FormDialog>
);

interface Move {
  destination: string;
  reason: string;
  /** The answers of a decision. */
  variables?: Record<string, string | number | boolean>;
}

/**
 * The request contains the state that the dialog shows. If another user has moved the experiment in the meantime, the
 * server rejects the move, so neither move is lost.
 */
export function useMove({ id, label, state }: Overview, onDone: () => void) {
  const lookOf = useStateLooks();
  return useMutation({
    mutationFn: ({ destination, reason, variables }: Move) =>
      client.setExperimentState({
        params: { id },
        body: {
          state_label: destination,
          freetext: reason,
          expected_state: state.label,
          ...(variables && { variables }),
        },
      }),
    onSuccess: ({ state: reached }) => {
      announceDone(`Moved ${label} to ${lookOf(reached).title}.`);
      onDone();
    },
  });
}

function MoveForm({ experiment, chosen, onClose }: Props & { chosen: Transition }) {
  const [destination, setDestination] = useState(chosen.destination_state.label);
  const [reason, setReason] = useState('');
  // A snapshot from when the dialog opened, so that the choices do not change under the pointer.
  const [snapshot] = useState(experiment);
  const move = useMove(snapshot, onClose);
  const submit = () => move.mutate({ destination, reason: reason.trim() });
  return (
    <DialogForm title="Move experiment" action="Move" sending={move} onSubmit={submit} onClose={onClose}>
      <p>
        <bdi>{snapshot.label}</bdi> is in <StateChip state={snapshot.state} />
      </p>
      <Destinations
        transitions={snapshot.transitions.filter(({ allowed }) => allowed)}
        value={destination}
        onChange={setDestination}
      />
      <ReasonField value={reason} onChange={setReason} placeholder="Shown in the timeline and the audit log" />
    </DialogForm>
  );
}

interface DestinationsProps {
  transitions: readonly Transition[];
  value: string;
  onChange: (label: string) => void;
}

/** Lists each state once, even if several transitions lead to it. */
function Destinations({ transitions, value, onChange }: DestinationsProps) {
  const states = [...new Map(transitions.map(({ destination_state: state }) => [state.id, state])).values()];
  return (
    <fieldset className={styles['destinations']}>
      <legend>Move to</legend>
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
