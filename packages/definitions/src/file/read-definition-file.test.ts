/** Workflow files in both layouts, and their errors and warnings with positions. */
import { describe, expect, it } from 'vitest';
import { readDefinitionFile } from './read-definition-file.ts';

const read = (text: string) => {
  const reading = readDefinitionFile(text, '/workflow_definition');
  expect(reading.faults).toEqual([]);
  if (!reading.definition) throw new Error('not read');
  return reading;
};
const definitionOf = (text: string) => read(text).definition;
const faultsOf = (text: string) => readDefinitionFile(text, '/workflow_definition').faults;
const reported = (text: string) =>
  faultsOf(text).map(({ line, column, detail }) => `${line}:${column} ${detail.replace(/^Line.*?: /, '')}`);
const warned = (text: string) => read(text).warnings.map(({ line, column, message }) => `${line}:${column} ${message}`);

const sample = `label: brain_mri
initial: arrived
states:
  - label: arrived
    freetext: Scans are in the archive
    callbacks:
      - label: check_protocol
        function: http
        callback_arguments: {url: "{{external_systems.XNAT}}/check", method: POST}
        run_timeout: 30
        initial_delay: 5
        retry_for: 120
        condition: "experiment.variables['resend'] != true" # milepost: allow unset_variable because users set it
        description: Ask the archive
        variable_map: {usable: /body/usable, whole: "", bare: name~x}
    transitions:
      - {destination: processed, condition: "callbacks['check_protocol'].result == 'success'", by: engine}
      - {destination: rejected}
  - label: processed
  - {label: rejected, freetext: , callbacks: , transitions: []}
`;

const callback = {
  callback_arguments: {},
  condition: '',
  description: '',
  initial_delay: 0,
  run_timeout: 60,
  wait_timeout: 0,
  retry_for: 45,
  retry_first: 5,
  variable_map: {},
};

describe('a workflow file', () => {
  it('becomes a definition with every default filled in', () => {
    expect(definitionOf(sample)).toEqual({
      label: 'brain_mri',
      initial: 'arrived',
      states: [
        {
          label: 'arrived',
          freetext: 'Scans are in the archive',
          callbacks: [
            {
              label: 'check_protocol',
              function: 'http',
              callback_arguments: { url: '{{external_systems.XNAT}}/check', method: 'POST' },
              condition: "experiment.variables['resend'] != true",
              description: 'Ask the archive',
              initial_delay: 5,
              run_timeout: 30,
              wait_timeout: 0,
              retry_for: 120,
              retry_first: 5,
              variable_map: { usable: '/body/usable', whole: '', bare: '/name~0x' },
            },
          ],
          transitions: [
            { destination: 'processed', condition: "callbacks['check_protocol'].result == 'success'", by: 'engine' },
            { destination: 'rejected', condition: '', by: 'both' },
          ],
        },
        { label: 'processed', freetext: '', callbacks: [], transitions: [] },
        { label: 'rejected', freetext: '', callbacks: [], transitions: [] },
      ],
    });
    expect(read(sample).warnings).toEqual([]);
  });

  it('without an initial state uses the only state that no transition leads to', () => {
    expect(
      definitionOf('label: w\nstates:\n  - label: b\n  - {label: a, transitions: [{destination: b}]}\n').initial,
    ).toBe('a');
  });

  it('has its labels normalised to Unicode NFC', () => {
    const { label, states } = definitionOf(
      'label: "cafe\\u0301"\nstates: [{label: "e\\u0301", transitions: [{destination: \u00e9}]}]\ninitial: \u00e9\n',
    );
    expect([label, states[0]?.label, states[0]?.transitions[0]?.destination]).toEqual([
      'caf\u00e9',
      '\u00e9',
      '\u00e9',
    ]);
  });

  it.each(['{"binary": "x", "args": [1]}', 'binary: x\nargs: [1]\n'])('can have arguments as the text %j', (text) => {
    const file = `label: w\nstates: [{label: a, callbacks: [{label: c, function: command, callback_arguments: ${JSON.stringify(text)}}]}]`;
    expect(definitionOf(file).states[0]?.callbacks[0]?.callback_arguments).toEqual({ binary: 'x', args: [1] });
  });

  it('gives the same definition as an equivalent file', () => {
    const a = read('label: w\nstates: [{label: a, callbacks: [], freetext: ""}]');
    const b = read('# a comment\nstates:\n  - label: a\n    transitions:\nlabel: w\ninitial: a\n');
    expect(JSON.stringify(b.definition)).toBe(JSON.stringify(a.definition));
  });
});

describe('the older layout', () => {
  const older = `label: old
external_systems:
  - {system_name: XNAT, url: "https://xnat"}
scantypes: [{modality: MR, protocol: T1}]
states:
  - {label: step1, lifespan: null, callback: null, freetext: First}
  - {label: step2, lifespan: 60, callback: external_program, freetext: ""}
  - label: step3
    callback: {function: create_task, task_base: qa.json, task_info: {project: p}, run_timeout: 5}
    freetext: ""
  - label: step4
    callback: '{"function": "send_mail", "label": "mail", "to": null}'
transitions:
  - {source: step1, destination: step2}
  - {source: step3, destination: step4}
  - {source: step2, destination: step3, condition: "True"}
  - {source: step2, destination: step1}
initial: step1
`;

  it('has one callback per state, arguments beside the function, and one list of transitions', () => {
    const { states } = definitionOf(older);
    expect(states.map(({ callbacks }) => callbacks)).toEqual([
      [],
      [{ ...callback, label: 'external_program', function: 'external_program' }],
      [
        {
          ...callback,
          label: 'create_task',
          function: 'create_task',
          run_timeout: 5,
          callback_arguments: { task_base: 'qa.json', task_info: { project: 'p' } },
        },
      ],
      [{ ...callback, label: 'mail', function: 'send_mail', callback_arguments: { to: null } }],
    ]);
    expect(states.map(({ transitions }) => transitions.map(({ destination }) => destination))).toEqual([
      ['step2'],
      ['step3', 'step1'],
      ['step4'],
      [],
    ]);
  });

  it('gets a warning for each ignored part', () => {
    const ignored = warned(older).filter((warning) => warning.includes('ignored'));
    expect(ignored).toEqual([
      expect.stringMatching(/^3:3 external_systems is not part of a workflow/),
      expect.stringMatching(/^4:12 scantypes is not part of a workflow/),
      expect.stringMatching(/^7:30 lifespan/),
    ]);
  });

  it('has each of its errors reported with a position', () => {
    const file = `label: old
states:
  - {label: a, callback: {binary: x}}
  - {label: b, callback: "[1, 2]"}
  - {label: c, callback: "binary: x"}
  - {label: d, callback: wait, callbacks: []}
transitions:
  - {source: aa, destination: b}
  - {source: a, destination: zzzzz}
`;
    expect(reported(file)).toEqual([
      '3:26 /states/0/callback/function is required.',
      expect.stringMatching(/^4:26 \/states\/1\/callback must be an object, or an object as JSON or YAML text/),
      '5:26 /states/2/callback needs a function.',
      expect.stringMatching(/^6:26 \/states\/3 has both callbacks and callback/),
      expect.stringMatching(/^6:26 \/states\/3\/callback waits for a report and needs a wait_timeout/),
      '8:14 "aa" is not a state of this file. Did you mean "a"?',
      '9:30 "zzzzz" is not a state of this file. Expected one of: a, b, c, d.',
    ]);
  });
});

describe('an invalid file', () => {
  it('has all its errors reported together, each with a position', () => {
    const file = `label: " w"
initial: arived
sttes: []
states:
  - label: arrived
    callbacks:
      - {label: check, function: http, callback_arguments: [1], run_timeout: 1.5}
      - {label: check, function: wait}
      - {label: mail, function: mailer, initial_delay: -1, wait_timeout: 99999999, retry_first: 0}
      - {label: set, function: fast, variable_map: {x: body/usable, y: /a~2, z: 5}}
    transitions:
      - {destination: proccessed}
      - {destination: processed, by: robot, conditon: "true"}
  - label: processed
  - label: processed
  - label: ..
`;
    expect(reported(file)).toEqual([
      expect.stringMatching(/^1:8 \/label must not contain control characters, start or end with a space/),
      '2:10 "arived" is not a state of this file. Did you mean "arrived"?',
      '3:8 /sttes is not a known field. Remove it. The file already has "states".',
      '7:60 /states/0/callbacks/0/callback_arguments must be an object, or text.',
      '7:78 /states/0/callbacks/0/run_timeout must be a whole number.',
      expect.stringMatching(/^8:9 .* needs a wait_timeout \(minutes\) greater than 0/),
      '8:17 another callback of this state has the label "check".',
      '9:56 /states/0/callbacks/2/initial_delay must be at least 0, but is -1.',
      '9:74 /states/0/callbacks/2/wait_timeout must be at most 5256000, but is 99999999.',
      '9:97 /states/0/callbacks/2/retry_first must be at least 1, but is 0.',
      expect.stringMatching(/^10:56 .* must begin with a slash to be a JSON pointer. Did you mean "\/body\/usable"/),
      expect.stringMatching(/^10:72 .* is not a valid JSON pointer/),
      expect.stringMatching(/^10:81 .*variable_map\/z must be text/),
      '12:23 "proccessed" is not a state of this file. Did you mean "processed"?',
      '13:38 /states/0/transitions/1/by must be one of: person, engine, both.',
      '13:45 /states/0/transitions/1/conditon is not a known field. Did you mean "condition"?',
      '15:12 another state in this file has the label "processed".',
      expect.stringMatching(/^16:12 \/states\/3\/label must not contain control characters/),
    ]);
    for (const { pointer } of faultsOf(file)) expect(pointer).toBe('/workflow_definition');
  });

  it.each([
    ['no states', 'label: w\nstates: []', /^2:9 \/states must not be empty/],
    ['no label', 'states: [{label: a}]', /label is required/],
    [
      'two possible initial states',
      'label: w\nstates: [{label: a}, {label: b}]',
      /no transition leads to "a", "b"\. Add a line .* such as "initial: a"/,
    ],
    [
      'no possible initial state',
      'label: w\nstates: [{label: a, transitions: [{destination: b}]}, {label: b, transitions: [{destination: a}]}]',
      /transitions lead to every state\. Add a line .* such as "initial: a"/,
    ],
    [
      'arguments that are not an object',
      'label: w\nstates: [{label: a, callbacks: [{label: c, function: fastr, callback_arguments: "5"}]}]',
      /must be an object/,
    ],
    [
      'arguments that JSON does not support',
      'label: w\nstates: [{label: a, callbacks: [{label: c, function: fastr, callback_arguments: {x: .nan}}]}]',
      /JSON does not support/,
    ],
    [
      'arguments that are nested too deeply',
      `label: w\nstates: [{label: a, callbacks: [{label: c, function: fastr, callback_arguments: {x: ${'['.repeat(40)}${']'.repeat(40)}}}]}]`,
      /deeper than 32/,
    ],
    [
      'an invalid variable map as text',
      'label: w\nstates: [{label: a, callbacks: [{label: c, function: fastr, variable_map: "x: 5"}]}]',
      /variable_map\/x must be text/,
    ],
    ['a list instead of a mapping', '- label: w', /must be a mapping/],
  ])('with %s is rejected', (_what, file, detail) => {
    expect(reported(file)).toEqual([expect.stringMatching(detail)]);
  });

  it('with 150 errors returns the first 100 and the number of remaining errors', () => {
    const states = Array.from({ length: 150 }, (_, index) => `  - {label: s${index}, callbaks: []}`).join('\n');
    const faults = faultsOf(`label: w\ninitial: s0\nstates:\n${states}\n`);
    expect(faults).toHaveLength(101);
    expect(faults.at(-1)?.detail).toBe('50 more errors. Fix these first.');
  });
});
