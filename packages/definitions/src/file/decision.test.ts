/** The fields of states and transitions for decisions and pages. */
import { describe, expect, it } from 'vitest';
import type { Definition } from './definition.ts';
import { readDefinitionFile } from './read-definition-file.ts';
import { writeDefinition } from './write-definition.ts';

const file = (state: string) => `label: w
initial: a
states:
  - label: a
${state.replace(/^/gm, '    ')}
    transitions: [{destination: b, by: person, title: Accept}]
  - {label: b, outcome: good}
`;

const read = (state: string) => {
  const { definition, faults } = readDefinitionFile(file(state), '');
  expect(faults).toEqual([]);
  return definition as Definition;
};

const whole = `title: Visual QC
colour: "#D97706"
decision:
  due: 3d
  show:
    - {variable: motion, title: Motion, unit: mm, max: 1.2}
    - {variable: contrast, min: 9, unit: }
  fields:
    - {variable: quality, title: Quality, type: choice, choices: [good, fair], required: true}
    - {variable: rating, type: number, min: 1, max: 5}
    - {variable: artefact, type: yes_no}
    - {variable: remark, type: text}`;

const shown = { unit: null, min: null, max: null };
const field = { required: false, choices: [], min: null, max: null };

describe('a decision', () => {
  it('is read with every default filled in', () => {
    const [state, final] = read(whole).states;
    expect(state).toMatchObject({
      title: 'Visual QC',
      colour: '#d97706',
      decision: {
        due: '3d',
        show: [
          { ...shown, variable: 'motion', title: 'Motion', unit: 'mm', max: 1.2 },
          { ...shown, variable: 'contrast', title: 'contrast', min: 9 },
        ],
        fields: [
          {
            ...field,
            variable: 'quality',
            title: 'Quality',
            type: 'choice',
            choices: ['good', 'fair'],
            required: true,
          },
          { ...field, variable: 'rating', title: 'rating', type: 'number', min: 1, max: 5 },
          { ...field, variable: 'artefact', title: 'artefact', type: 'yes_no' },
          { ...field, variable: 'remark', title: 'remark', type: 'text' },
        ],
      },
      transitions: [{ title: 'Accept' }],
    });
    expect(final?.outcome).toBe('good');
  });

  it('can be empty', () => {
    expect(read('decision: {}').states[0]?.decision).toEqual({ due: null, show: [], fields: [] });
  });

  it.each(['9999min', '9999h', '999d', '999w'])('can have the time %s', (due) => {
    expect(read(`decision: {due: ${due}}`).states[0]?.decision?.due).toBe(due);
  });

  it('is absent if the file does not set it', () => {
    const [state] = read('freetext: x').states;
    expect(Object.keys(state ?? {})).toEqual(['label', 'freetext', 'callbacks', 'transitions']);
  });

  it.each([whole, 'decision: {}', 'title: T'])(
    'is written as a file that reads as the same definition: %j',
    (state) => {
      const definition = read(state);
      const { definition: again } = readDefinitionFile(writeDefinition(definition), '');
      expect(JSON.stringify(again)).toBe(JSON.stringify(definition));
    },
  );

  it.each([
    ['decision: {due: 3}', 'due must be'],
    ['decision: {due: 3 days}', 'such as 90min, 12h, 3d or 2w'],
    ['decision: {due: 9999w}', 'or of days or weeks up to 999, such as'],
    ['decision: {due: 1000d}', 'or of days or weeks up to 999, such as'],
    ['decision: {due: 10000h}', 'minutes or hours up to 9999'],
    ['decision: {until: 3d}', 'until'],
    ['colour: teal', 'must be a colour such as #0f766e'],
    ['outcome: fine', 'good, bad'],
    ['decision: {show: [{title: Motion}]}', 'variable'],
    ['decision: {show: [{variable: x, min: 2, max: 1}]}', 'max must not be less than min (2)'],
    ['decision: {fields: [{variable: x, type: date}]}', 'choice'],
    ['decision: {fields: [{variable: x, type: choice}]}', 'choices is required for a choice'],
    ['decision: {fields: [{variable: x, type: choice, choices: [a, a]}]}', 'the same answer twice'],
    ['decision: {fields: [{variable: x, type: text, choices: [a]}]}', 'choices is only possible for a choice'],
    ['decision: {fields: [{variable: x, type: text, max: 3}]}', 'max is only possible for a number'],
    [
      'decision: {fields: [{variable: x, type: text}, {variable: x, type: text}]}',
      'another field sets the variable "x"',
    ],
  ])('is rejected if it is wrong: %s', (state, detail) => {
    const { faults } = readDefinitionFile(file(state), '');
    expect(faults.map((fault) => fault.detail).join('\n')).toContain(detail);
    expect(faults.every(({ line }) => line === 5)).toBe(true);
  });
});
