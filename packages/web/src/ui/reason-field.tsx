import { Textarea } from '@mantine/core';

interface Props {
  value: string;
  onChange: (text: string) => void;
  placeholder: string;
  required?: boolean;
}

/** The field for the reason of a change. */
export const ReasonField = ({ value, onChange, placeholder, required = false }: Props) => (
  <Textarea
    label="Reason"
    placeholder={placeholder}
    data-autofocus
    required={required}
    withAsterisk={false}
    autosize
    minRows={2}
    maxRows={8}
    maxLength={10_000}
    dir="auto"
    value={value}
    onChange={({ currentTarget }) => onChange(currentTarget.value)}
  />
);
