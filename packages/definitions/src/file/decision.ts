/** Reads and writes the `decision` of a state. */
import { fieldTypes, type Decision, type DecisionField } from '@milepost/api';
import { entriesOf, isObject, labelOf, type Entry } from './entries.ts';
import type { Findings } from './findings.ts';

/** Undefined if the state has none. Faults that the schema check reports are skipped here. */
export function readDecision(findings: Findings, state: Entry): Decision | undefined {
  const given = state.value['decision'];
  if (!isObject(given)) return undefined;
  const entry = { pointer: `${state.pointer}/decision`, value: given };
  const fields = entriesOf(entry, 'fields').map((field) => readField(findings, field));
  rejectRepeated(findings, entry, fields);
  return {
    due: typeof given['due'] === 'string' ? given['due'] : null,
    show: entriesOf(entry, 'show').map((shown) => ({
      ...namesOf(shown),
      unit: typeof shown.value['unit'] === 'string' ? shown.value['unit'] : null,
      ...limitsOf(findings, shown),
    })),
    fields,
  };
}

const namesOf = (entry: Entry) => {
  const variable = labelOf(entry, 'variable');
  return { variable, title: labelOf(entry, 'title') || variable };
};

const numberOf = (value: unknown) => (typeof value === 'number' ? value : null);

function limitsOf(findings: Findings, { pointer, value }: Entry) {
  const [min, max] = [numberOf(value['min']), numberOf(value['max'])];
  if (min !== null && max !== null && min > max)
    findings.faults.push({
      code: 'invalid_value',
      pointer: `${pointer}/max`,
      detail: `${pointer}/max must not be less than min (${min}).`,
    });
  return { min, max };
}

function readField(findings: Findings, entry: Entry): DecisionField {
  const { pointer, value } = entry;
  const type = fieldTypes.find((known) => known === value['type']) ?? 'text';
  const choices = Array.isArray(value['choices'])
    ? value['choices'].filter((choice) => typeof choice === 'string').map((choice) => choice.normalize('NFC'))
    : [];
  const fault = (name: string, detail: string) =>
    findings.faults.push({
      code: 'invalid_value',
      pointer: `${pointer}/${name}`,
      detail: `${pointer}/${name} ${detail}`,
    });
  if (type === 'choice' && choices.length === 0) fault('choices', 'is required for a choice.');
  if (type !== 'choice' && 'choices' in value) fault('choices', 'is only possible for a choice.');
  if (new Set(choices).size < choices.length) fault('choices', 'must not contain the same answer twice.');
  for (const name of ['min', 'max'])
    if (type !== 'number' && name in value) fault(name, 'is only possible for a number.');
  const required = value['required'] === true;
  return { ...namesOf(entry), type, required, choices, ...limitsOf(findings, entry) };
}

function rejectRepeated(findings: Findings, { pointer }: Entry, fields: readonly DecisionField[]): void {
  const seen = new Set<string>();
  fields.forEach(({ variable }, index) => {
    const at = `${pointer}/fields/${index}/variable`;
    if (seen.has(variable))
      findings.faults.push({
        code: 'repeated_label',
        pointer: at,
        detail: `another field sets the variable "${variable}".`,
      });
    seen.add(variable);
  });
}

/** Without the values that reading fills in. */
export const writeDecision = ({ due, show, fields }: Decision) => ({
  ...(due !== null && { due }),
  ...(show.length > 0 && { show: show.map(written) }),
  ...(fields.length > 0 && { fields: fields.map(written) }),
});

const written = ({ variable, title, ...options }: { variable: string; title: string }) => ({
  variable,
  ...(title !== variable && { title }),
  ...Object.fromEntries(
    Object.entries(options).filter(
      ([, value]: [string, unknown]) =>
        value !== null && value !== false && !(Array.isArray(value) && value.length === 0),
    ),
  ),
});
