import { describe, expect, it } from 'vitest';
import { wholeWorkflow } from '../../testing/whole-workflow.ts';
import type { Definition } from './definition.ts';
import { readDefinitionFile } from './read-definition-file.ts';
import { writeDefinition } from './write-definition.ts';

const readBack = (text: string): Definition => {
  const { definition, faults } = readDefinitionFile(text, '/workflow_definition');
  expect(faults).toEqual([]);
  return definition as Definition;
};

const callback = (label: string) => ({
  label,
  function: 'some queue',
  callback_arguments: {},
  condition: '',
  description: '',
  initial_delay: 0,
  run_timeout: 60,
  wait_timeout: 0,
  retry_for: 45,
  retry_first: 5,
  variable_map: {},
});

/** Texts that YAML reads as other types without quotes, and values that are easy to lose. */
const nasty: Definition = {
  label: 'yes: #1 "two"',
  initial: 'null',
  states: [
    {
      label: 'null',
      freetext: '  two lines\n\tand\u2028more \u{1f9e0} \\ " \'\n',
      callbacks: [
        {
          ...callback('1e3'),
          callback_arguments: {
            nothing: null,
            empty: {},
            list: [],
            'a: b': [0.1, -5, 1e21, 123456789012345680000, true, '', '~', '0x10', '2026-01-01', '*a', '&b', '!c'],
            z: { a: 1 },
            '<': 'last',
          },
          condition: "experiment.label != 'a \\\\ b'",
          wait_timeout: 5,
          retry_for: 0,
          retry_first: 60,
          variable_map: { 'a/b': '/x~1y', b: '' },
        },
        callback('true'),
      ],
      transitions: [
        { destination: '~', condition: '', by: 'person' },
        { destination: '~', condition: 'true', by: 'both' },
        { destination: 'null', condition: '', by: 'engine' },
      ],
    },
    { label: '~', freetext: '', callbacks: [], transitions: [] },
  ],
};

describe('writeDefinition', () => {
  it('writes a file that reads as the same definition', () => {
    const text = writeDefinition(nasty);
    expect(readBack(text)).toEqual(nasty);
    expect(JSON.stringify(readBack(text))).toBe(JSON.stringify(nasty));
    const whole = readBack(wholeWorkflow('whole'));
    expect(JSON.stringify(readBack(writeDefinition(whole)))).toBe(JSON.stringify(whole));
  });

  it('leaves out defaults', () => {
    const states = [{ label: 'a', freetext: '', callbacks: [callback('check')], transitions: [] }];
    expect(JSON.parse(writeDefinition({ label: 'w', initial: 'a', states }))).toEqual({
      label: 'w',
      initial: 'a',
      states: [{ label: 'a', callbacks: [{ label: 'check', function: 'some queue' }] }],
    });
  });

  it('writes a large definition without spaces, so that an import accepts it', () => {
    const states = Array.from({ length: 8000 }, (_, index) => ({ ...nasty.states[1], label: `s${index}` }));
    const large = { label: 'large', initial: 's0', states } as Definition;
    const text = writeDefinition(large);
    expect(text.length).toBeLessThan(256 * 1024);
    expect(JSON.stringify(JSON.parse(text), null, 2).length).toBeGreaterThan(256 * 1024);
    expect(JSON.parse(text).states).toHaveLength(8000);
  });
});
