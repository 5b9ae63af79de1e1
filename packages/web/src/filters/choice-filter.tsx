import { Select } from '@mantine/core';
import { useState } from 'react';
import { useFilters } from './use-filters.ts';
import styles from './filters.module.css';

export interface Choice {
  value: string;
  label: string;
}

interface Props {
  /** The query parameter of the URL. */
  name: string;
  label: string;
  /** The text without a choice: `All cohorts`. */
  all: string;
  choices: readonly Choice[];
  /** Called when the choices are needed. */
  onOpen?: () => void;
  /** Filters to clear when this one changes. */
  clears?: readonly string[];
}

/** A filter with one choice or none. */
export function ChoiceFilter({ name, label, all, choices, onOpen, clears = [] }: Props) {
  const { textOf, set } = useFilters();
  const value = textOf(name) ?? null;
  const cleared = Object.fromEntries(clears.map((other) => [other, undefined]));
  return (
    <Select
      aria-label={label}
      placeholder={all}
      data={[...choices]}
      value={value}
      onChange={(chosen) => set({ ...cleared, [name]: chosen ?? undefined })}
      searchable={choices.length > 8}
      clearable
      clearButtonProps={{ 'aria-label': `Clear ${label.toLowerCase()} filter` }}
      comboboxProps={{ width: 'max-content', position: 'bottom-start' }}
      {...(onOpen ? { onDropdownOpen: onOpen } : {})}
      className={styles['filter'] ?? ''}
    />
  );
}

/** Choices are needed when the user opens the list, or when the label of the current choice is shown. */
export function useNeeded(name: string): { needed: boolean; onOpen: () => void } {
  const [opened, setOpened] = useState(false);
  const isSet = useFilters().textOf(name) !== undefined;
  return { needed: opened || isSet, onOpen: () => setOpened(true) };
}
