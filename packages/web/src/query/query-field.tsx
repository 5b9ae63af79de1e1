/** The field for a query: its terms as chips, and a text field for the next term. */
import { useEffect, useId, useRef } from 'react';
import { Icon } from '../ui/icon.tsx';
import { textWithCode } from '../ui/text-with-code.tsx';
import { chipAt, chipsOf, joinTexts, withoutChip, type Chip } from './chips.ts';
import { QueryChip } from './query-chip.tsx';
import { TermInput } from './term-input.tsx';
import { useDraft } from './use-draft.ts';
import styles from './query-field.module.css';

export interface QueryFault {
  detail: string;
  /** The position of the word in the query, from 1. Errors without one concern no word. */
  column?: number;
}

interface Props {
  q: string;
  onChange: (q: string) => void;
  /** What the server rejected. */
  faults: readonly QueryFault[];
}

/** -1 if the error concerns no chip. */
const chipOf = (chips: readonly Chip[], { column }: QueryFault): number =>
  column === undefined ? -1 : chipAt(chips, column - 1);

/** The URL changes a little later than the query, so a second change must not start from the URL. */
function useLatest(q: string) {
  const latest = useRef(q);
  useEffect(() => {
    latest.current = q;
  }, [q]);
  return latest;
}

/** Adds the server's errors to the chips that they concern. */
function withFaults(chips: Chip[], faults: readonly QueryFault[]): Chip[] {
  const errors = new Map(faults.map((fault) => [chipOf(chips, fault), fault.detail]));
  return chips.map((chip, index) => {
    const error = chip.error ?? errors.get(index);
    return error === undefined ? chip : { ...chip, error };
  });
}

export function QueryField({ q, onChange, faults }: Props) {
  const field = useRef<HTMLInputElement>(null);
  const id = useId();
  const latest = useLatest(q);
  const draft = useDraft((text) => change(joinTexts([latest.current, text])));
  const chips = withFaults(chipsOf(q), faults);
  const general = faults.flatMap((fault) => (chipOf(chips, fault) < 0 ? [fault.detail] : []));
  const errors = [draft.error, ...chips.map(({ error }) => error), ...general].filter((error) => error !== undefined);
  const errorId = errors.length > 0 ? id : undefined;
  const change = (next: string) => {
    latest.current = next;
    onChange(next);
    field.current?.focus();
  };
  const editChip = (index: number) => {
    draft.edit(joinTexts([draft.text, chips[index]?.text ?? '']));
    change(withoutChip(chips, index));
  };
  return (
    <search className={styles['search']} aria-label="Experiments">
      <div className={styles['field']} data-invalid={errorId !== undefined || undefined}>
        <Icon name="search" />
        {chips.map((chip, index) => (
          <QueryChip
            key={`${index} ${chip.text}`}
            chip={chip}
            onEdit={() => editChip(index)}
            onRemove={() => change(withoutChip(chips, index))}
          />
        ))}
        <TermInput
          field={field}
          draft={draft}
          placeholder={chips.length === 0 ? 'Filter by label, state, cohort, incident, variable…' : ''}
          errorId={errorId}
          onBackspace={() => chips.length > 0 && editChip(chips.length - 1)}
        />
        {q === '' && draft.text === '' ? null : <Clear onClick={() => (draft.edit(''), change(''))} />}
      </div>
      {errorId === undefined ? null : (
        <p id={errorId} role="alert" className={styles['error']}>
          {textWithCode(errors.join(' '))}
        </p>
      )}
    </search>
  );
}

const Clear = ({ onClick }: { onClick: () => void }) => (
  <button type="button" className={styles['clear']} aria-label="Clear the query" onClick={onClick}>
    <Icon name="close" />
  </button>
);
