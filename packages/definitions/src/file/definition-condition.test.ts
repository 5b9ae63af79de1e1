/** Conditions in workflow files, in CEL or Python syntax. Errors are reported with their position. */
import { describe, expect, it } from 'vitest';
import { readDefinitionFile } from './read-definition-file.ts';

const file = (condition: string, onCallback = 'true') => `label: w
states:
  - label: a
    callbacks:
      - label: check
        function: wait
        wait_timeout: 5
        condition: ${onCallback}
    transitions:
      - destination: b
        condition: ${condition}
  - label: b
`;
const conditionOf = (condition: string) => {
  const { definition, faults } = readDefinitionFile(file(condition), '');
  expect(faults).toEqual([]);
  return definition?.states[0]?.transitions[0]?.condition;
};
const reported = (text: string) =>
  readDefinitionFile(text, '').faults.map(
    ({ line, column, detail }) => `${line}:${column} ${detail.replace(/^Line.*?: /, '')}`,
  );

describe('readDefinitionFile', () => {
  it.each([
    ["callbacks['check'].result == 'success'", "callbacks['check'].result == 'success'"],
    [`"not experiment.variables['x'] == 1 and True"`, "!(experiment.variables['x'] == 1) && true"],
    [
      `"callbacks['check'].result.name == 'success' and experiment.variables.get('n', 0) > 1"`,
      "callbacks['check'].result == 'success' && (has(experiment.variables['n']) ? experiment.variables['n'] : 0) > 1",
    ],
    ['true', 'true'],
    ['', ''],
    ['"  "', ''],
    [
      "|\n          experiment.variables['x'] == 1\n          || experiment.label == 'e'",
      "experiment.variables['x'] == 1\n|| experiment.label == 'e'",
    ],
  ])('stores a condition written as %j as %j', (written, kept) => {
    expect(conditionOf(written)).toBe(kept);
  });

  it.each([
    [
      'in plain text at the position of the error',
      "experiment.variables['x'] == vriables",
      /^11:49 .*vriables is not a known name/,
    ],
    [
      'in quotes at the position of the error',
      `"experiment.variables['x'] == vriables"`,
      /^11:50 .*vriables is not a known name/,
    ],
    [
      'with escapes at the start of the condition',
      `"experiment.variables[\\"x\\"] == vriables"`,
      /^11:20 .*vriables is not a known name/,
    ],
    [
      'over several lines at the start of the condition',
      '|\n          1 == 1 &&\n          vriables',
      /^11:20 .*vriables is not a known name/,
    ],
    [
      'that reads a callback the state does not have',
      `"callbacks['chek'].result == 'success'"`,
      /^11:\d+ .*no callback "chek"\. Did you mean "check"/,
    ],
    ['in unsupported Python', `"experiment.label is 5"`, /^11:38 "is" can compare only with None/],
    ['that is not true or false', '"1 + 1"', /must be true or false/],
    ['that is a list', '[1]', /^11:20 .*condition must be text, or true or false/],
    [
      'of more than 1,000 characters',
      `"${'1 == 1 && '.repeat(101)}true"`,
      /has 1,014 characters, but at most 1,000 are allowed/,
    ],
  ])('reports an invalid condition %s', (_what, condition, detail) => {
    expect(reported(file(condition))).toEqual([expect.stringMatching(detail)]);
  });

  it('rejects the condition of a callback if it reads callbacks, because none has run', () => {
    expect(reported(file('true', `"callbacks['check'].result == 'success'"`))).toEqual([
      expect.stringMatching(/^8:21 the condition of a callback cannot read callbacks/),
    ]);
  });

  it('reports all errors of all conditions together', () => {
    expect(reported(file(`"nowhere == 1 && nothing == 2"`, '"never == 1"'))).toEqual([
      expect.stringMatching(/^8:21 .*never is not a known name/),
      expect.stringMatching(/^11:21 .*nowhere is not a known name/),
      expect.stringMatching(/^11:37 .*nothing is not a known name/),
    ]);
  });
});
