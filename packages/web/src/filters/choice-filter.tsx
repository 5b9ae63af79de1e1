import { Select } from '@mantine/core';
import { useState } from 'react';
import styles from './filters.module.css';
import { useFilters } from './use-filters.ts';

export interface Choice {
  value: string;
  label: string;
}

interface Props {
  /** In the address. */
  name: string;
  label: string;
  /** What is said where nothing is chosen: `All cohorts`. */
  all: string;
  choices: readonly Choice[];
  /** Called when they are needed for the first time. */
  onOpen?: () => void;
  /** Filters that mean nothing once this one changes. */
  clears?: readonly string[];
  disabled?: boolean;
}

/** One of a few things, or all of them. */
export function ChoiceFilter({ name, label, all, choices, onOpen, clears = [], disabled = false }: Props) {
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
      clearButtonProps={{ 'aria-label': `${label}: ${all}` }}
      disabled={disabled}
      comboboxProps={{ width: 'max-content', position: 'bottom-start' }}
      {...(onOpen ? { onDropdownOpen: onOpen } : {})}
      className={styles['filter'] ?? ''}
    />
  );
}

/** Whether the choices are needed: somebody opens them, or the name of the chosen one has to be shown. */
export function useNeeded(name: string): { needed: boolean; onOpen: () => void } {
  const [opened, setOpened] = useState(false);
  const isSet = useFilters().textOf(name) !== undefined;
  return { needed: opened || isSet, onOpen: () => setOpened(true) };
}
