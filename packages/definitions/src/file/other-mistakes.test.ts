/** Mistakes of authors who know other workflow languages: one finding for each mistake, and what to write instead. */
import { describe, expect, it } from 'vitest';
import { lintWorkflow } from '../lint/lint-files.ts';

const file = (state: string, rest = '  - {label: b, outcome: good}\n') =>
  `label: w\ninitial: a\nstates:\n  - label: a\n${state}${rest}`;
const exit = `condition: "callbacks['c'].result == 'success'"`;
const waiting = '    callbacks: [{label: c, function: wait, wait_timeout: 5}]\n';
const found = (text: string) => lintWorkflow(text).map(({ line, message }) => `${line} ${message}`);

describe('lint', () => {
  it.each([
    [
      'states as a mapping',
      'label: w\ninitial: a\nstates:\n  a:\n    transitions: []\n',
      ['4 /states must be a list. Begin each item with "- ".'],
    ],
    [
      '`to` for `destination`',
      file('    decision: {}\n    transitions:\n      - to: b\n'),
      ['7 /states/0/transitions/0/to is not a known field. Did you mean "destination"?'],
    ],
    [
      '`when` for `condition`',
      file(`${waiting}    transitions:\n      - destination: b\n        when: callbacks['c'].result == 'success'\n`),
      ['8 /states/0/transitions/0/when is not a known field. Did you mean "condition"?'],
    ],
    [
      'a duration for minutes',
      file(
        `    callbacks: [{label: c, function: wait, wait_timeout: 30m}]\n    transitions: [{destination: b, ${exit}}]\n`,
      ),
      ['5 /states/0/callbacks/0/wait_timeout must be a whole number.'],
    ],
    [
      'a misspelt list of callbacks',
      `label: w\ninitial: a\nstates:\n  - label: a\n    calback:\n      - {label: c, function: wait, wait_timeout: 5}\n    transitions: [{destination: b, ${exit}}]\n  - {label: b, outcome: good}\n`,
      ['5 /states/0/calback is not a known field. Did you mean "callbacks"?'],
    ],
    [
      'callbacks as a mapping',
      file(
        `    callbacks:\n      c: {function: wait, wait_timeout: 5}\n    transitions: [{destination: b, ${exit}}]\n`,
      ),
      ['6 /states/0/callbacks must be a list. Begin each item with "- ".'],
    ],
    [
      'a destination as text',
      file('    decision: {}\n    transitions: b\n'),
      ['6 /states/0/transitions must be a list. Begin each item with "- ".'],
    ],
    [
      'another word for a person',
      file('    decision: {}\n    transitions: [{destination: b, by: user}]\n'),
      ['6 /states/0/transitions/0/by must be one of: person, engine, both.'],
    ],
    [
      'an argument beside the function',
      file(
        `    callbacks: [{label: c, function: sleep, callback_arguments: {seconds: 1}, url: x}]\n    transitions: [{destination: b, ${exit}}]\n`,
      ),
      ['5 /states/0/callbacks/0/url is not a known field. Move it into callback_arguments.'],
    ],
    [
      'another word for an outcome',
      file(
        '    decision: {}\n    transitions: [{destination: b}]\n',
        '  - {label: b, outcome: ok}\n  - {label: c, outcome: good}\n',
      ).replace('{destination: b}', '{destination: b}, {destination: c}'),
      ['7 /states/1/outcome must be one of: good, bad, neutral.'],
    ],
    [
      'text for a list of arguments',
      file(
        `    callbacks: [{label: c, function: command, callback_arguments: {binary: x, args: "{{experiment.label}}"}}]\n    transitions: [{destination: b, ${exit}}]\n`,
      ),
      [
        '5 the argument "args" of command must be a list. It is "{{experiment.label}}". Write args: ["{{experiment.label}}"].',
      ],
    ],
    [
      'the American spelling',
      file(`    color: "#000000"\n${waiting}    transitions: [{destination: b, ${exit}}]\n`),
      ['5 /states/0/color is not a known field. Did you mean "colour"?'],
    ],
    [
      'two names of the same field',
      `name: x\n${file('    name: z\n    labl: y\n    decision: {}\n    transitions: [{destination: b, to: b}]\n')}`,
      [
        '1 /name is not a known field. Remove it. The file already has "label".',
        '6 /states/0/name is not a known field. Remove it. The state already has "label".',
        '7 /states/0/labl is not a known field. Remove it. The state already has "label".',
        '9 /states/0/transitions/0/to is not a known field. Remove it. The transition already has "destination".',
      ],
    ],
    [
      'misspelt fields of transitions in the older layout',
      `${file('')}transitions:\n  - {sorce: a, destnation: b, by: person}\n`,
      [
        '7 /transitions/0/sorce is not a known field. Did you mean "source"?',
        '7 /transitions/0/destnation is not a known field. Did you mean "destination"?',
      ],
    ],
    [
      'a missing argument in the older layout',
      `${file('    callback: {function: send_mail, subject: x}\n')}transitions:\n  - {source: a, destination: b, condition: "callbacks['send_mail'].result == 'success'"}\n`,
      ['5 send_mail needs the argument "body". Add it, as in body: "See {experiment_url}.".'],
    ],
    [
      'text without quotes in a condition',
      file(`${waiting}    transitions: [{destination: b, condition: "callbacks['c'].result == success"}]\n`),
      [
        `6 success is not a known name. If it is text, write 'success'. Expected one of: experiment, subject, cohort, callbacks, now.`,
      ],
    ],
  ])('explains %s', (_what, text, expected) => {
    expect(found(text)).toEqual(expected);
  });

  it.each([
    '    decision: {}\n    transitions: [{destination: b}]\n',
    '    transitions: [{destination: b, by: person}]\n',
  ])('accepts an initial state that waits for a user if the file says so: %j', (state) => {
    expect(found(file(state))).toEqual([]);
  });

  it.each([
    ['- {outcome: good}', '- {source: a, destination: b, by: person}', ['missing_field']],
    ['', '- {source: a}', ['missing_field']],
    ['', '- {destination: b}', ['missing_field']],
    ['', '- {source: x, destination: b}', ['unknown_state']],
    ['', '- {source: a, destination: x}\n  - {source: a, destination: b}', ['waits_for_user', 'unknown_state']],
  ])('warns about no state whose transitions could be unknown: %j, %j', (state, transitions, codes) => {
    const text = `label: w\nstates:\n  - {label: a}\n  - {label: b, outcome: good}\n  ${state}\ntransitions:\n  ${transitions}\n`;
    expect(lintWorkflow(text).map(({ code }) => code)).toEqual(codes);
  });

  it('warns about a state that waits for a user beside its misspelt destination', () => {
    const other =
      '  - label: b\n    transitions: [{destination: c}, {destination: d}]\n  - {label: c, outcome: good}\n';
    expect(
      lintWorkflow(file('    decision: {}\n    transitions: [{destination: b}]\n', other)).map(({ code }) => code),
    ).toEqual(['waits_for_user', 'unknown_state']);
  });

  it.each([
    [
      'a misspelt list of callbacks',
      'callbaks: [{label: c, function: htpp}]',
      ['unknown_field', 'unknown_function', 'ignores_failure'],
    ],
    [
      'a field of a callback',
      'callbacks: [{name: c, function: htpp}]',
      ['unknown_field', 'unknown_function', 'ignores_failure'],
    ],
    ['a field that resembles none', 'priority: 3', ['waits_for_user', 'unknown_field']],
    ['a misspelt decision', 'decison: {}', ['unknown_field']],
  ])('warns about a state with %s', (_what, field, codes) => {
    const text = `label: w\ninitial: a\nstates:\n  - label: a\n    ${field}\n    transitions: [{destination: b}]\n  - {label: b, outcome: good}\n`;
    expect(lintWorkflow(text).map(({ code }) => code)).toEqual(codes);
  });

  it('reports that the initial state is missing in a file with a field that resembles none', () => {
    const text = 'label: w\npriority: 3\nstates:\n  - {label: a}\n  - {label: b}\n';
    expect(lintWorkflow(text).map(({ code }) => code)).toEqual(['unknown_field', 'no_initial_state']);
  });

  it('checks the content of a misspelt list at its place', () => {
    const text = 'label: w\nstates:\n  - label: a\n    transtions:\n      - {to: bb, by: person}\n  - {label: b}\n';
    expect(found(text)).toEqual([
      '4 /states/0/transtions is not a known field. Did you mean "transitions"?',
      '5 /states/0/transitions/0/to is not a known field. Did you mean "destination"?',
      '5 "bb" is not a state of this file. Did you mean "b"?',
    ]);
  });
});
