import { describe, expect, it } from 'vitest';
import { outcomeOf } from './planted-outcome.ts';

const bulk = { test: 'bulk-kills', caughtBy: /× .*killed.system.test.ts/ };
const kills = { test: 'kills', caughtBy: '(a)' };

const ended = (test: string, verdict: string, ...lines: string[]) =>
  [`${test} (quick), seed 7, 41 s: ${verdict}`, ...lines.map((line) => `  ${line}`), ''].join('\n');

describe('the run of a planted bug', () => {
  it.each([
    [
      'its assigned test fails',
      'caught',
      ended('bulk-kills', 'failed', '× |system| a/killed.system.test.ts > b'),
      bulk,
    ],
    ['another test fails', 'not caught', ended('bulk-kills', 'failed', '× |system| a/other.system.test.ts > b'), bulk],
    ['all tests pass', 'not caught', ended('bulk-kills', 'passed', '✓ |system| a/killed.system.test.ts > b'), bulk],
    ['its assigned checker fails', 'caught', ended('kills', 'failed', 'FAILED 2 times: (a) each acknowledged'), kills],
    ['another checker fails', 'not caught', ended('kills', 'failed', 'FAILED 2 times: (b) no change'), kills],
    ['it reaches its limit', 'not finished', ended('bulk-kills', 'not finished', 'Hangs, waiting until x'), bulk],
    [
      'it reaches its limit after a report',
      'not finished',
      ended('kills', 'not finished', 'FAILED 1 times: (a)'),
      kills,
    ],
    ['it ends without a report', 'not finished', 'Error: spawn vitest ENOENT\n', bulk],
  ] as const)('in which %s is %s', (_what, outcome, output, planted) => {
    expect(outcomeOf(output, planted)).toBe(outcome);
  });
});
