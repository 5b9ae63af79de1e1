import { Textarea, TextInput } from '@mantine/core';
import type { Field } from './use-decision.ts';
import styles from './decision.module.css';

export type Answers = Record<string, string | number | boolean>;

interface Props {
  fields: readonly Field[];
  answers: Answers;
  onChange: (answers: Answers) => void;
}

/** The form of a decision. Its answers become variables. */
export const DecisionFields = ({ fields, answers, onChange }: Props) =>
  fields.map((field) => (
    <OneField
      key={field.variable}
      field={field}
      value={answers[field.variable]}
      onChange={(value) => onChange(withAnswer(answers, field.variable, value))}
    />
  ));

/** An empty answer is none. */
function withAnswer(answers: Answers, name: string, value: Answers[string]): Answers {
  const { [name]: _before, ...others } = answers;
  return value === '' ? others : { ...others, [name]: value };
}

interface FieldProps {
  field: Field;
  value: Answers[string] | undefined;
  onChange: (value: Answers[string]) => void;
}

const labelOf = ({ title, required }: Field) => (required ? `${title} (required)` : title);

const yesNo = [
  { text: 'Yes', value: true },
  { text: 'No', value: false },
];

function OneField({ field, value, onChange }: FieldProps) {
  if (field.type === 'choice' || field.type === 'yes_no') {
    const choices = field.type === 'yes_no' ? yesNo : field.choices.map((choice) => ({ text: choice, value: choice }));
    return <Choices field={field} choices={choices} value={value} onChange={onChange} />;
  }
  const shared = { label: labelOf(field), required: field.required, withAsterisk: false, value: String(value ?? '') };
  return field.type === 'number' ? (
    <TextInput
      {...shared}
      type="number"
      step="any"
      {...(field.min === null ? {} : { min: field.min })}
      {...(field.max === null ? {} : { max: field.max })}
      onChange={({ currentTarget }) => onChange(currentTarget.value === '' ? '' : currentTarget.valueAsNumber)}
    />
  ) : (
    <Textarea
      {...shared}
      autosize
      minRows={1}
      maxLength={1000}
      dir="auto"
      onChange={({ currentTarget }) => onChange(currentTarget.value)}
    />
  );
}

interface ChoicesProps extends FieldProps {
  choices: readonly { text: string; value: string | boolean }[];
}

const Choices = ({ field, choices, value, onChange }: ChoicesProps) => (
  <fieldset className={styles['choices']}>
    <legend>{labelOf(field)}</legend>
    {choices.map((choice) => (
      <label key={choice.text}>
        <input
          type="radio"
          name={field.variable}
          checked={value === choice.value}
          onChange={() => onChange(choice.value)}
        />
        <bdi>{choice.text}</bdi>
      </label>
    ))}
  </fieldset>
);
