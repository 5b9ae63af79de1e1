/** The warnings about workflow files, with their positions. */
import { describe, expect, it } from 'vitest';
import { readDefinitionFile } from './read-definition-file.ts';

const warned = (text: string) => {
  const reading = readDefinitionFile(text, '/workflow_definition');
  if (!reading.definition) throw new Error(JSON.stringify(reading.faults));
  return reading.warnings.map(({ line, column, message }) => `${line}:${column} ${message}`);
};
const workflow = (...states: string[]) =>
  `label: w\ninitial: a\nstates:\n${states.map((state) => `  - ${state}\n`).join('')}`;
const call = '{label: c, function: http, callback_arguments: {url: x}}';

const quick = (label: string, destination: string, more = '') =>
  `{label: ${label}, callbacks: [{label: c, function: http, callback_arguments: {url: x}${more}}], ` +
  `transitions: [{destination: ${destination}, condition: "callbacks['c'].result == 'failed'"}]}`;

const reading = (name: string) =>
  workflow(
    '{label: a, callbacks: [{label: c, function: wait, wait_timeout: 5, variable_map: {usable: /x}}], ' +
      `transitions: [{destination: b, condition: "experiment.variables['${name}'] == 1"}, ` +
      `{destination: c, condition: "experiment.variables.${name} == 2"}]}`,
    '{label: b}',
    '{label: c}',
  );

describe('warnings about a workflow file', () => {
  it('report unreachable states', () => {
    const file = workflow(
      `{label: a, callbacks: [${call}]}`,
      '{label: b, transitions: [{destination: c, by: person}]}',
      '{label: c}',
    );
    expect(warned(file)).toEqual([
      expect.stringMatching(/^5:5 No transitions lead .* to "b"/),
      expect.stringMatching(/^6:5 .* to "c"/),
    ]);
  });

  it.each([
    [
      'for the engine after one without a condition',
      `callbacks: [${call}]`,
      "{destination: b, condition: \"callbacks['c'].result == 'failed'\"}, {destination: b}, {destination: c, by: engine}",
      /The engine never takes this transition\. The transition to "b"/,
    ],
    [
      'for users and the engine after one without a condition',
      `callbacks: [${call}]`,
      "{destination: b, condition: \"callbacks['c'].result == 'failed'\"}, {destination: b}, {destination: c}",
      /Users can still take it/,
    ],
    [
      'to the same destination as an earlier one',
      '',
      '{destination: b}, {destination: b, condition: "1 == 1"}, {destination: c}',
      /never taken\. An earlier transition to "b"/,
    ],
    [
      'for the engine in a state without callbacks',
      '',
      '{destination: b, by: engine}, {destination: c, by: engine}',
      /The engine never takes/,
    ],
  ])('report a transition %s', (_what, callbacks, transitions, detail) => {
    const file = workflow(
      `{label: a, ${callbacks ? `${callbacks}, ` : 'outcome: neutral, '}transitions: [${transitions}]}`,
      '{label: b}',
      '{label: c}',
    );
    expect(warned(file)).toEqual([expect.stringMatching(detail)]);
  });

  it.each([
    [
      'a state that only users can leave',
      '',
      'transitions: [{destination: a}]',
      /Experiments stay in "b" until a user moves them.*decision: \{\}/,
    ],
    ['a decision of a final state', 'decision: {due: 3d}', '', /"b" is a final state, so users have nothing to decide/],
    [
      'an outcome of a state where users decide',
      'outcome: good',
      'transitions: [{destination: a, by: person}]',
      /wait for a decision, although it has an outcome.*"by: person"/,
    ],
    ['a colour that two states have', 'colour: "#0F766E"', '', /^5:\d+ "a" has the same colour/],
  ])('report %s', (_what, ...parts) => {
    const detail = parts.pop() as RegExp;
    const fields = ['label: b', ...parts].filter((part) => part !== '').join(', ');
    const first = `{label: a, colour: "#0f766e", callbacks: [${call}], transitions: [{destination: b, by: person}]}`;
    expect(warned(workflow(first, `{${fields}}`))).toEqual([expect.stringMatching(detail)]);
  });

  it.each(['decision: {}', 'outcome: neutral', `callbacks: [${call}]`, ''])(
    'do not report a state that users leave if it has %j',
    (settled) => {
      const by = settled === '' ? ', by: person' : '';
      const condition = `, condition: "callbacks['c'].result == 'success'"`;
      const exit = `transitions: [{destination: a${by}${settled.startsWith('callbacks') ? condition : ''}}]`;
      const first = `{label: a, callbacks: [${call}], transitions: [{destination: b, by: person}]}`;
      const fields = ['label: b', settled, exit].filter((part) => part !== '').join(', ');
      expect(warned(workflow(first, `{${fields}}`))).toEqual([]);
    },
  );

  it('do not report several transitions for users, or a transition that only users can take', () => {
    expect(
      warned(
        workflow(
          '{label: a, outcome: neutral, transitions: [{destination: b}, {destination: c}]}',
          '{label: b}',
          '{label: c}',
        ),
      ),
    ).toEqual([]);
    const file = workflow(
      `{label: a, callbacks: [${call}], transitions: [{destination: b, condition: "callbacks['c'].result == 'success'"}, {destination: b, by: engine}, {destination: c, by: person}]}`,
      '{label: b}',
      '{label: c}',
    );
    expect(warned(file)).toEqual([]);
  });

  it('report a transition that applies even after a failure, because it has no condition', () => {
    const file = workflow(`{label: a, callbacks: [${call}], transitions: [{destination: b}]}`, '{label: b}');
    expect(warned(file)).toEqual([
      expect.stringMatching(
        /^4:\d+ This transition is also taken when a callback fails.*callbacks\['c'\]\.result == 'success'/,
      ),
    ]);
  });

  it('report an initial state that has no callbacks and one transition, and suggest another initial state', () => {
    const file = workflow('{label: a, transitions: [{destination: b}]}', '{label: b}');
    expect(warned(file)).toEqual([expect.stringMatching(/^4:5 .*add "initial: b"/)]);
  });

  it('report a loop without a user or a delay', () => {
    expect(warned(workflow(quick('a', 'b'), quick('b', 'c'), quick('c', 'a')))).toEqual([
      expect.stringMatching(/^4:5 Experiments can move in a loop \(a -> b -> c -> a\) without a user or a delay/),
    ]);
    expect(warned(workflow(quick('a', 'a')))).toEqual([expect.stringMatching(/^4:5 .*\(a -> a\)/)]);
  });

  it.each([
    ['a delay', workflow(quick('a', 'b'), quick('b', 'a', ', initial_delay: 60'))],
    ['a report to wait for', workflow(quick('a', 'b'), quick('b', 'a', ', wait_timeout: 60'))],
    ['a user', workflow(quick('a', 'b'), quick('b', 'a').replace('destination: a', 'destination: a, by: person'))],
    [
      'a state without callbacks',
      workflow(quick('a', 'b'), '{label: b, decision: {}, transitions: [{destination: a}]}'),
    ],
  ])('do not report a loop with %s', (_what, file) => {
    expect(warned(file)).toEqual([]);
  });

  it('report a transition after one with the same condition', () => {
    const condition = `condition: "experiment.label == 'x'"`;
    const file = workflow(
      `{label: a, callbacks: [${call}], transitions: [{destination: b, ${condition}}, {destination: c, ${condition}}]}`,
      '{label: b}',
      '{label: c}',
    );
    expect(warned(file)).toEqual([expect.stringMatching(/The transition to "b" before it has the same condition/)]);
  });

  it('report a final state without an outcome if others have one, or if it has callbacks', () => {
    const first = '{label: a, outcome: neutral, transitions: [{destination: b}, {destination: c}]}';
    expect(warned(workflow(first, '{label: b, outcome: good}', '{label: c}'))).toEqual([
      expect.stringMatching(/^6:5 "c" is a final state\. Add transitions/),
    ]);
    expect(warned(workflow(first, '{label: b}', `{label: c, callbacks: [${call}]}`))).toEqual([
      expect.stringMatching(/^6:5 "c" is a final state with callbacks, and nothing follows them/),
    ]);
    expect(warned(workflow(first, '{label: b}', '{label: c}'))).toEqual([]);
  });

  it('report a worker without a time limit', () => {
    const worker = '{label: c, function: worker, callback_arguments: {queue: q}, run_timeout: 0}';
    expect(warned(workflow(`{label: a, callbacks: [${worker}]}`))).toEqual([
      expect.stringMatching(/^4:102 .*run_timeout: 0/),
    ]);
  });

  it('report a variable that nothing sets, once, and suggest a similar one', () => {
    expect(warned(reading('useable'))).toEqual([
      '4:145 Nothing in this file sets the variable "useable". Did you mean "usable"?',
    ]);
    expect(warned(reading('site'))).toEqual([expect.stringMatching(/variable "site"\. Set it with the variable_map/)]);
    expect(warned(reading('usable'))).toEqual([]);
  });

  it('report a function that is not built in', () => {
    const file = workflow('{label: a, callbacks: [{label: c, function: fastr}]}');
    expect(warned(file)).toEqual([
      '4:49 "fastr" is not a built-in function. Its runs wait for one of your workers on the queue of that name.',
    ]);
  });
});
