/** Lint finds every mistake of the table, and nothing else. The import of a real server is tested with the same table. */
import { describe, expect, it } from 'vitest';
import { allFindings, allMistakes } from '../../testing/all-mistakes.ts';
import { existingSystems, faultlessConfiguration, faultlessWorkflow } from '../../testing/faultless-files.ts';
import {
  configurationMistakes,
  isError,
  withMistake,
  workflowMistakes,
  type AuthorMistake,
} from '../../testing/author-mistakes.ts';
import { contextOf, lintConfiguration, lintWorkflow } from './lint-files.ts';

const findingOf = (row: AuthorMistake) => ({
  severity: isError(row) ? 'error' : 'warning',
  code: row.code,
  line: row.at[0],
  column: row.at[1],
  message: row.message,
});

const context = { systems: existingSystems };

describe('lint', () => {
  it('finds nothing in files without mistakes', () => {
    expect(lintWorkflow(faultlessWorkflow, context)).toEqual([]);
    expect(lintConfiguration(faultlessConfiguration)).toEqual([]);
  });

  it.each(workflowMistakes)('finds only mistake $number: $mistake', (row) => {
    expect(lintWorkflow(withMistake(row), context)).toEqual([findingOf(row)]);
  });

  it.each(configurationMistakes)('finds only mistake $number: $mistake', (row) => {
    const found = lintConfiguration(withMistake(row, faultlessConfiguration));
    expect(found).toEqual([findingOf(row)]);
  });

  it('knows 26 mistakes', () => {
    const numbers = [...workflowMistakes, ...configurationMistakes].map(({ number }) => number);
    expect(numbers.toSorted((a, b) => a - b)).toEqual(Array.from({ length: 26 }, (_, index) => index + 1));
  });

  it('finds all of them in one file, as none hides another', () => {
    const found = lintWorkflow(allMistakes, context).map(({ code, line }) => `${code} ${line}`);
    expect(allFindings.filter(([, code, line]) => !found.includes(`${code} ${line}`))).toEqual([]);
    expect(found).toHaveLength(allFindings.length);
  });

  it.each([
    ['is not valid YAML', 'external_systems: [\n', 'yaml_syntax'],
    ['misspells the list', 'external_system: [{system_name: XNAT, url: "https://x"}]\n', 'unknown_field'],
  ])('knows no external systems if the configuration file %s', (_what, text, code) => {
    expect(contextOf(text)).toMatchObject({ context: {}, findings: [{ severity: 'error', code }] });
    expect(contextOf(text).context).toEqual({});
  });

  it('reads the external systems of a configuration file, even if it has errors', () => {
    expect(contextOf(faultlessConfiguration)).toEqual({ context, findings: [] });
    const faulty = contextOf(`${faultlessConfiguration}\nusers: 5\n`);
    expect(faulty).toMatchObject({ context, findings: [{ severity: 'error', code: 'invalid_value', line: 7 }] });
  });
});
