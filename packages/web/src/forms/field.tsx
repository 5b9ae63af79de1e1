/** The fields of a form. All values are texts. */
import { Select, Textarea, TextInput } from '@mantine/core';
import type { Choice } from '../filters/choice-filter.tsx';
import { ScanDateInput } from './scan-date-input.tsx';

export interface Field<Name extends string = string> {
  /** The name of the field in the request, where the server reports faults. */
  name: Name;
  label: string;
  /** Default: one line of text. */
  kind?: 'long' | 'date' | 'scan_date' | 'choice';
  required?: true;
  maxLength?: number;
  description?: string;
  placeholder?: string;
  choices?: readonly Choice[];
}

interface Props {
  field: Field;
  value: string;
  onChange: (text: string) => void;
  error: string | undefined;
  /** Whether the form opens with the focus here. */
  isFirst: boolean;
}

export function FieldInput({ field, value, onChange, error, isFirst }: Props) {
  const { label, kind, required = false, description, placeholder, maxLength = 255 } = field;
  const shared = {
    label,
    description,
    placeholder,
    error,
    required,
    withAsterisk: false,
    'data-autofocus': isFirst || undefined,
  };
  const text = {
    ...shared,
    value,
    onChange: ({ currentTarget }: { currentTarget: { value: string } }) => onChange(currentTarget.value),
  };
  switch (kind) {
    case 'choice':
      return <ChoiceInput {...shared} choices={field.choices ?? []} value={value} onChange={onChange} />;
    case 'long':
      return <Textarea {...text} autosize minRows={2} maxRows={8} maxLength={maxLength} dir="auto" />;
    case 'date':
      return <TextInput {...text} type="date" max="9999-12-31" />;
    case 'scan_date':
      return <ScanDateInput label={label} error={error} value={value} onChange={onChange} />;
    case undefined:
    default:
      return <TextInput {...text} maxLength={maxLength} autoComplete="off" dir="auto" />;
  }
}

interface ChoiceProps {
  label: string;
  choices: readonly Choice[];
  value: string;
  onChange: (text: string) => void;
}

/** Longer lists have a search field. */
const mostWithoutSearch = 8;

const ChoiceInput = ({ choices, value, onChange, ...props }: ChoiceProps) => (
  <Select
    {...props}
    data={[...choices]}
    value={value === '' ? null : value}
    onChange={(chosen) => onChange(chosen ?? '')}
    searchable={choices.length > mostWithoutSearch}
    nothingFoundMessage="Nothing found."
    allowDeselect={false}
    comboboxProps={{ withinPortal: true }}
  />
);
