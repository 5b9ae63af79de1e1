import { TextInput } from '@mantine/core';
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
  const { day, time } = partsOf(value);
  return (
    <div className={styles['scanDate']}>
      <TextInput
        label={label}
        type="date"
        max="9999-12-31"
        value={day}
        onChange={({ currentTarget }) => onChange(scanDateOf({ day: currentTarget.value, time }))}
        error={error}
      />
      <TextInput
        label="Scan time (optional)"
        type="time"
        step={time.length > 5 ? 1 : 60}
        disabled={day === ''}
        value={time}
        onChange={({ currentTarget }) => onChange(scanDateOf({ day, time: currentTarget.value }))}
      />
    </div>
  );
}
