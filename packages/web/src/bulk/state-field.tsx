/** Chooses the state to which experiments are moved or corrected. */
import { Select, type ComboboxItem } from '@mantine/core';
import { useQueries } from '@tanstack/react-query';
import { useEffect, useEffectEvent, useState } from 'react';
import { graphQuery } from '../pages/workflows/use-workflow.ts';
import { StateMark } from '../status/state-chip.tsx';
import { useStateLooks } from '../status/use-state-look.tsx';
import { Name } from '../ui/name.tsx';
import { ProblemNote } from '../ui/problem-note.tsx';
import type { Chosen } from './chosen.ts';
import { targetStates, type TargetState } from './target-states.ts';
import styles from './bulk.module.css';

interface Props {
  label: string;
  chosen: Chosen;
  /** Whether transitions lead to the state. */
  isMove: boolean;
  value: string | undefined;
  onChange: (label: string) => void;
}

/** More would be too many requests. */
const mostWorkflows = 10;

function useTargets({ states }: Chosen) {
  const workflows = [...new Set(states.map(({ workflow }) => workflow.id))].slice(0, mostWorkflows);
  const graphs = useQueries({ queries: workflows.map((id) => graphQuery(id)) });
  const loaded = graphs.flatMap(({ data }) => (data ? [data] : []));
  return {
    ...targetStates(
      loaded,
      states.map(({ state }) => state),
    ),
    isLoaded: graphs.every(({ data }) => data !== undefined),
    failed: graphs.find(({ error }) => error !== null),
  };
}

export function StateField({ label, chosen, isMove, value, onChange }: Props) {
  const { next, others, isLoaded, failed } = useTargets(chosen);
  const [isOpen, setIsOpen] = useState(false);
  const lookOf = useStateLooks();
  const states = [...next, ...others];
  // A single next state is chosen at once. Otherwise the list opens, because choosing is the first step.
  const begin = useEffectEvent(() => {
    const [only] = next;
    if (isMove && next.length === 1 && only) onChange(only.label);
    else setIsOpen(true);
  });
  useEffect(() => {
    if (isLoaded) begin();
  }, [isLoaded]);
  const itemOf = (state: TargetState) => ({ value: state.label, label: lookOf(state).title });
  const option = (item: ComboboxItem) => <StateOption state={states.find((one) => one.label === item.value)} />;
  const chosenState = states.find((one) => one.label === value);
  if (failed?.error) return <ProblemNote error={failed.error} onRetry={() => void failed.refetch()} />;
  return (
    <Select
      label={label}
      data-autofocus
      placeholder={isLoaded ? 'Choose a state' : 'Loading…'}
      data={
        isMove && next.length > 0
          ? [
              { group: 'Next states', items: next.map(itemOf) },
              { group: 'Other states', items: others.map(itemOf) },
            ]
          : states.map(itemOf)
      }
      value={value ?? null}
      onChange={(text) => text !== null && onChange(text)}
      allowDeselect={false}
      searchable={states.length > 12}
      maxDropdownHeight={320}
      dropdownOpened={isOpen && isLoaded}
      onDropdownOpen={() => setIsOpen(true)}
      onDropdownClose={() => setIsOpen(false)}
      renderOption={({ option: item }) => option(item)}
      leftSection={chosenState ? <StateMark state={chosenState} /> : undefined}
      leftSectionWidth={chosenState ? 28 : 0}
    />
  );
}

function StateOption({ state }: { state: TargetState | undefined }) {
  const lookOf = useStateLooks();
  return state === undefined ? null : (
    <span className={styles['option']}>
      <StateMark state={state} /> <Name text={lookOf(state).title} />
    </span>
  );
}
