import { useState, type KeyboardEvent } from 'react';
import styles from './imports.module.css';

interface Props {
  label: string;
  value: string;
  placeholder: string;
  maxLength: number;
  onChange: (text: string) => void;
}

/** A short text in a table. Enter or leaving the field changes the value, Escape restores it. */
export function InlineText({ label, value, placeholder, maxLength, onChange }: Props) {
  const [typed, setTyped] = useState<string>();
  const end = () => {
    const text = typed?.trim();
    setTyped(undefined);
    if (text !== undefined && text !== value) onChange(text);
  };
  const press = ({ key, currentTarget }: KeyboardEvent<HTMLInputElement>) => {
    if (key === 'Enter') currentTarget.blur();
    if (key === 'Escape') setTyped(undefined);
  };
  return (
    <input
      className={styles['inline']}
      aria-label={label}
      dir="auto"
      spellCheck={false}
      placeholder={placeholder}
      maxLength={maxLength}
      value={typed ?? value}
      onChange={({ currentTarget }) => setTyped(currentTarget.value)}
      onBlur={end}
      onKeyDown={press}
    />
  );
}
