/** The fields for what is done to each experiment. Retries and evaluations have none. */
import { Button, Textarea, TextInput } from '@mantine/core';
import type { BulkKind } from '@milepost/api';
import { useState, type ReactNode } from 'react';
import { AssigneeField } from './assignee-field.tsx';
import type { Chosen } from './chosen.ts';
import { StateField } from './state-field.tsx';
import type { Change } from './use-dry-run.ts';
import { variableValue } from './variable-value.ts';
import styles from './bulk.module.css';

interface FieldsProps {
  chosen: Chosen;
  /** Undefined while it is not complete. */
  onChange: (change: Change | undefined) => void;
}

/** The change before the user enters anything. Undefined for kinds that need more. */
export const firstChange = (kind: BulkKind): Change | undefined =>
  kind === 'retry' || kind === 'evaluate' ? {} : undefined;

const fields: Partial<Record<BulkKind, (props: FieldsProps) => ReactNode>> = {
  move: MoveFields,
  place: PlaceFields,
  set_variables: VariableFields,
  assign: AssigneeField,
  note: NoteFields,
};

export function ChangeFields({ kind, ...props }: FieldsProps & { kind: BulkKind }) {
  const Fields = fields[kind];
  return Fields ? <Fields {...props} /> : null;
}

function MoveFields({ chosen, onChange }: FieldsProps) {
  const [state, setState] = useState<string>();
  const choose = (label: string) => {
    setState(label);
    onChange({ state: label });
  };
  return <StateField label="Move to" chosen={chosen} isMove value={state} onChange={choose} />;
}

function PlaceFields({ chosen, onChange }: FieldsProps) {
  const [place, setPlace] = useState<{ state?: string; run_callbacks: boolean }>({ run_callbacks: false });
  const choose = (next: typeof place) => {
    setPlace(next);
    onChange(next.state === undefined ? undefined : { ...next, state: next.state });
  };
  return (
    <>
      <StateField
        label="Correct to"
        chosen={chosen}
        isMove={false}
        value={place.state}
        onChange={(state) => choose({ ...place, state })}
      />
      <label className={styles['check']}>
        <input
          type="checkbox"
          checked={place.run_callbacks}
          onChange={({ currentTarget }) => choose({ ...place, run_callbacks: currentTarget.checked })}
        />
        Run the callbacks of the state
      </label>
    </>
  );
}

interface Variable {
  name: string;
  value: string;
}

function VariableFields({ onChange }: FieldsProps) {
  const [variables, setVariables] = useState<readonly Variable[]>([{ name: '', value: '' }]);
  const set = (next: readonly Variable[]) => {
    setVariables(next);
    const named = next.map(({ name, value }) => [name.trim(), variableValue(value)] as const);
    onChange(named.every(([name]) => name !== '') ? { variables: Object.fromEntries(named) } : undefined);
  };
  const change = (index: number, part: Partial<Variable>) =>
    set(variables.map((one, at) => (at === index ? { ...one, ...part } : one)));
  return (
    <div className={styles['variables']}>
      {variables.map(({ name, value }, index) => (
        <div key={index} className={styles['variable']}>
          <TextInput
            label={index === 0 ? 'Variable' : undefined}
            aria-label="Variable"
            dir="auto"
            maxLength={255}
            value={name}
            onChange={({ currentTarget }) => change(index, { name: currentTarget.value })}
          />
          <TextInput
            label={index === 0 ? 'Value' : undefined}
            aria-label="Value"
            dir="auto"
            value={value}
            onChange={({ currentTarget }) => change(index, { value: currentTarget.value })}
          />
        </div>
      ))}
      <p className={styles['hint']}>
        Numbers, true, false, null and other JSON keep their type. Anything else is text.
      </p>
      <Button variant="subtle" onClick={() => set([...variables, { name: '', value: '' }])}>
        Add variable
      </Button>
    </div>
  );
}

function NoteFields({ onChange }: FieldsProps) {
  const [text, setText] = useState('');
  return (
    <Textarea
      label="Note"
      autosize
      minRows={2}
      maxRows={8}
      maxLength={10_000}
      dir="auto"
      value={text}
      onChange={({ currentTarget: { value } }) => {
        setText(value);
        onChange(value.trim() === '' ? undefined : { text: value.trim() });
      }}
    />
  );
}
