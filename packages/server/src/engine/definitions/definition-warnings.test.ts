/** What the reader of definitions warns of, each with its place, and what it does not. */
import { describe, expect, it } from 'vitest';
import { readDefinitionFile } from './read-definition-file.ts';

const warned = (text: string) => {
  const reading = readDefinitionFile(text, '/workflow_definition');
  if (!reading.definition) throw new Error(JSON.stringify(reading.faults));
  return reading.warnings.map(({ line, column, message }) => `${line}:${column} ${message}`);
};
const workflow = (...states: string[]) =>
  `label: w\ninitial: a\nstates:\n${states.map((state) => `  - ${state}\n`).join('')}`;
const call = '{label: c, function: http}';

describe('a warning', () => {
  it('tells states that nobody reaches', () => {
    const file = workflow(
      `{label: a, callbacks: [${call}]}`,
      '{label: b, transitions: [{destination: c}]}',
      '{label: c}',
    );
    expect(warned(file)).toEqual([
      expect.stringMatching(/^5:5 No way leads .* to "b"/),
      expect.stringMatching(/^6:5 .* to "c"/),
    ]);
  });

  it.each([
    [
      'of the engine behind one without a condition',
      `callbacks: [${call}]`,
      "{destination: b, condition: \"callbacks['c'].result == 'x'\"}, {destination: b}, {destination: c, by: engine}",
      /never chosen by the engine: the transition to "b"/,
    ],
    [
      'of both there, which people can still choose',
      `callbacks: [${call}]`,
      "{destination: b, condition: \"callbacks['c'].result == 'x'\"}, {destination: b}, {destination: c}",
      /People still can/,
    ],
    [
      'to the same destination again',
      '',
      '{destination: b}, {destination: b, condition: "1 == 1"}, {destination: c}',
      /never taken: an earlier transition to "b"/,
    ],
    [
      'of the engine alone in a resting state',
      '',
      '{destination: b, by: engine}, {destination: c, by: engine}',
      /never chosen by the engine/,
    ],
  ])('tells a transition %s', (_what, callbacks, transitions, detail) => {
    const file = workflow(
      `{label: a, ${callbacks ? `${callbacks}, ` : ''}transitions: [${transitions}]}`,
      '{label: b}',
      '{label: c}',
    );
    expect(warned(file)).toEqual([expect.stringMatching(detail)]);
  });

  it('does not tell several ways on for people, or a way that only people take', () => {
    expect(
      warned(workflow('{label: a, transitions: [{destination: b}, {destination: c}]}', '{label: b}', '{label: c}')),
    ).toEqual([]);
    const file = workflow(
      `{label: a, callbacks: [${call}], transitions: [{destination: b, condition: "callbacks['c'].result == 'success'"}, {destination: b, by: engine}, {destination: c, by: person}]}`,
      '{label: b}',
      '{label: c}',
    );
    expect(warned(file)).toEqual([]);
  });

  it('tells an exit without a condition that is taken after a failure, too', () => {
    const file = workflow(`{label: a, callbacks: [${call}], transitions: [{destination: b}]}`, '{label: b}');
    expect(warned(file)).toEqual([
      expect.stringMatching(/^4:\d+ It is taken also when a callback fails.*callbacks\['c'\]\.result == 'success'/),
    ]);
  });

  it('tells a start without callbacks and with one exit, and what to add', () => {
    const file = workflow('{label: a, transitions: [{destination: b}]}', '{label: b}');
    expect(warned(file)).toEqual([expect.stringMatching(/^4:5 .*add "initial: b"/)]);
  });

  it('tells a function that nothing here runs', () => {
    const file = workflow('{label: a, callbacks: [{label: c, function: fastr}]}');
    expect(warned(file)).toEqual([
      '4:49 Nothing here runs "fastr": its executions wait for a worker of yours on the queue of that name.',
    ]);
  });
});
