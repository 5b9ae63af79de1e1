/** Checks the reference page of lint: it lists every code once, under errors or warnings, and its example has no findings. */
import { readFileSync } from 'node:fs';
import { errorCodes, lintWorkflow, warningCodes } from '@milepost/definitions';
import { describe, expect, it } from 'vitest';

const page = readFileSync(new URL('../../../../docs/reference/lint.md', import.meta.url), 'utf8');

const codesBelow = (heading: string) => {
  const section = page.split(`\n## ${heading}\n`)[1]?.split(/^## /m)[0] ?? '';
  return [...section.matchAll(/^\| `(\w+)` \|/gm)].map(([, code]) => code);
};

describe('docs/reference/lint.md', () => {
  it('lists every code of an error in the order of the code', () => {
    expect(codesBelow('Errors')).toEqual([...errorCodes]);
  });

  it('lists every code of a warning in the order of the code', () => {
    expect(codesBelow('Warnings')).toEqual([...warningCodes]);
  });

  it('has an example whose warning is allowed', () => {
    const [, example = ''] = /```yaml\n(.*?)```/s.exec(page) ?? [];
    expect(lintWorkflow(example)).toEqual([]);
    expect(lintWorkflow(example.replace(/ *# milepost.*\n/, ''))).toMatchObject([
      { code: 'unknown_function', line: 5 },
    ]);
  });
});
