/** Comments that allow warnings, in workflow and configuration files. */
import { describe, expect, it } from 'vitest';
import { lintConfiguration, lintWorkflow } from '../lint/lint-files.ts';

const workflow = (before: string, after = '') => `label: w
states:
  - label: a
    callbacks:
      ${before}
      - {label: c, function: fastr}${after}
`;
const found = (text: string) =>
  lintWorkflow(text).map(({ severity, code, line, column }) => `${severity} ${code} ${line}:${column}`);

describe('a comment', () => {
  it.each([
    ['at the end of the line', workflow('', ' # milepost: allow unknown_function because our cluster runs it')],
    ['on the line above', workflow('# milepost: allow unknown_function because our cluster runs it')],
    [
      'above other comments',
      workflow('# milepost: allow unknown_function because our cluster runs it\n      # more\n'),
    ],
  ])('%s allows a warning', (_where, text) => {
    expect(found(text)).toEqual([]);
  });

  it('allows only the warnings that it names', () => {
    const text = workflow('# milepost: allow same_colour, unknown_function because we say so');
    expect(found(text)).toEqual(['warning unused_allow 5:7']);
  });

  it.each([
    ['without a reason', '# milepost: allow unknown_function', /gives no reason/],
    ['with an empty reason', '# milepost: allow unknown_function because', /gives no reason/],
    ['with a misspelt code', '# milepost: allow unknown_funtion because x', /Did you mean "unknown_function"/],
    ['with the code of an error', '# milepost: allow unknown_state because x', /is not the code of a warning/],
    ['without a code', '# milepost: allow', /is not an instruction/],
  ])('%s is an error and allows nothing', (_what, comment, message) => {
    expect(found(workflow(comment))).toEqual(['error invalid_allow 5:7', 'warning unknown_function 6:30']);
    expect(lintWorkflow(workflow(comment))[0]?.message).toMatch(message);
  });

  it('works in a configuration file', () => {
    const roles = 'roles:\n  - {name: r, permissions: [user_read, worker_rn]}';
    expect(lintConfiguration(roles)).toEqual([
      {
        severity: 'warning',
        code: 'unknown_permission',
        line: 2,
        column: 40,
        message: 'The role r has the unknown permission "worker_rn", which has no effect. Did you mean "worker_run"?',
      },
    ]);
    expect(lintConfiguration(`${roles} # milepost: allow unknown_permission because it is of our old system`)).toEqual(
      [],
    );
  });
});
