/** A button for each next state. Its letter moves the focus to it, and Enter decides, so a stray key press moves nothing. */
import { Button } from '@mantine/core';
import { useEffect, useId, useRef } from 'react';
import { StateChip } from '../../../status/state-chip.tsx';
import { Icon } from '../../../ui/icon.tsx';
import type { Transition } from '../use-experiment.ts';
import { chooseKeys } from './choose-keys.ts';
import type { Field } from './use-decision.ts';
import { useKeys } from '../../../ui/use-keys.ts';
import styles from './destinations.module.css';

interface Props {
  transitions: readonly Transition[];
  fields: readonly Field[];
  /** Required fields without an answer. */
  missing: readonly Field[];
  isPending: boolean;
  /** The transition that is selected. Without it, the first possible one. */
  chosen: number | undefined;
  onChoose: (transition: Transition) => void;
}

/** An answer can make a condition true, so a transition whose condition reads one can be tried. */
const isPossible = ({ allowed, condition, missing_permission: permission }: Transition, fields: readonly Field[]) =>
  allowed || (permission === null && fields.some(({ variable }) => condition.includes(variable)));

export function Destinations({ transitions, fields, missing, isPending, chosen, onChoose }: Props) {
  const buttons = useRef(new Map<number, HTMLButtonElement>());
  const area = useRef<HTMLDivElement>(null);
  const hintId = useId();
  const keys = chooseKeys(transitions.map(({ title }) => title));
  const possible = transitions.filter((transition) => isPossible(transition, fields));
  const selected = chosen === undefined ? possible[0] : possible.find(({ id }) => id === chosen);
  useEffect(() => {
    if (chosen !== undefined) buttons.current.get(chosen)?.focus();
  }, [chosen]);
  useKeys(
    Object.fromEntries(transitions.map(({ id }, index) => [keys[index] ?? '', () => buttons.current.get(id)?.focus()])),
    { within: area },
  );
  return (
    <div ref={area}>
      <h3 className={styles['label']}>Next states</h3>
      <ul className={styles['destinations']}>
        {transitions.map((transition, index) => (
          <Destination
            key={transition.id}
            transition={transition}
            keyName={keys[index]}
            isSelected={transition === selected}
            isPossible={isPossible(transition, fields)}
            isPending={isPending}
            missingId={missing.length === 0 ? undefined : hintId}
            onChoose={() => onChoose(transition)}
            buttonRef={(button) => {
              buttons.current.set(transition.id, button);
              return () => buttons.current.delete(transition.id);
            }}
          />
        ))}
      </ul>
      <Hint id={hintId} missing={missing} />
    </div>
  );
}

interface DestinationProps {
  transition: Transition;
  keyName: string | undefined;
  isSelected: boolean;
  isPossible: boolean;
  isPending: boolean;
  /** The element that names the required fields without an answer, if there are any. */
  missingId: string | undefined;
  onChoose: () => void;
  buttonRef: (button: HTMLButtonElement) => () => void;
}

function Destination({ transition, keyName, isSelected, missingId, onChoose, buttonRef, ...props }: DestinationProps) {
  const refusalId = useId();
  const whyId = props.isPossible ? missingId : refusalId;
  return (
    <li>
      <Button
        ref={buttonRef}
        fullWidth
        variant={isSelected ? 'filled' : 'default'}
        disabled={props.isPending}
        aria-keyshortcuts={keyName}
        {...(whyId === undefined ? { onClick: onChoose } : { 'aria-disabled': true, 'aria-describedby': whyId })}
      >
        <bdi className={styles['title']}>{transition.title}</bdi>
        {props.isPossible && keyName !== undefined ? (
          <kbd className={styles['key']} aria-hidden="true">
            {keyName.toUpperCase()}
          </kbd>
        ) : null}
      </Button>
      {props.isPossible ? (
        <p className={styles['to']}>
          <Icon name="arrow" />
          <StateChip state={transition.destination_state} />
        </p>
      ) : (
        <p id={refusalId} className={styles['refusal']} dir="auto">
          Not possible now: {transition.reason}
        </p>
      )}
    </li>
  );
}

const Hint = ({ id, missing }: Pick<Props, 'missing'> & { id: string }) => (
  <p id={id} className={styles['hint']}>
    {missing.length === 0 ? (
      <span className={styles['keysHint']}>
        Press a letter, then <kbd>Enter</kbd> to decide.
      </span>
    ) : (
      `Required: ${missing.map(({ title }) => title).join(', ')}.`
    )}
  </p>
);
