import { TextInput } from '@mantine/core';
import { useState } from 'react';
import { tooltip } from '../ui/tooltip.tsx';
import { partsOf, scanDateOf } from './scan-date.ts';
import styles from './forms.module.css';

interface Props {
  label: string;
  value: string;
  onChange: (text: string) => void;
  error: string | undefined;
}

/** The day of a scan and optionally its time, both as on the clock of the scanner. */
export function ScanDateInput({ label, value, onChange, error }: Props) {
  const { day, time: stored } = partsOf(value);
  // While the user types the day, the input has none. The time must not be lost before the user leaves it.
  const [kept, setKept] = useState(stored);
  const time = day === '' ? kept : stored;
  const changeDay = (next: string) => {
    setKept(time);
    onChange(scanDateOf({ day: next, time }));
  };
  return (
    <div className={styles['scanDate']}>
      <TextInput
        label={label}
        type="date"
        max="9999-12-31"
        value={day}
        onChange={({ currentTarget }) => changeDay(currentTarget.value)}
        onBlur={() => setKept(stored)}
        error={error}
      />
      <TextInput
        label="Scan time (optional)"
        type="time"
        step={time.length > 5 ? 1 : 60}
        {...(day === '' ? { readOnly: true, 'aria-disabled': true, ...tooltip('Enter the scan date first.') } : {})}
        value={time}
        onChange={({ currentTarget }) => onChange(scanDateOf({ day, time: currentTarget.value }))}
      />
    </div>
  );
}
