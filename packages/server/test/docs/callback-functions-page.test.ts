/** Checks the reference page of callback functions against the code: arguments, examples, settings and placeholders. */
import { readFile } from 'node:fs/promises';
import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { makeRun } from '../../testing/callback-run.ts';
import { settings } from '../../src/config.ts';
import { argumentSchemas, readDefinitionFile, type BuiltInFunction } from '@milepost/definitions';
import { faultFinder } from '@milepost/api';
import { renderPlaceholders } from '../../src/functions/render-placeholders.ts';

const page = await readFile(new URL('../../../../docs/reference/callback-functions.md', import.meta.url), 'utf8');

/** The text below `## \`name\``. */
const sectionOf = (name: string) => new RegExp(`^## \`${name}\`\\n(.*?)(?=^## |(?![^]))`, 'ms').exec(page)?.[1] ?? '';

const names = Object.keys(argumentSchemas).filter((name) => name !== 'external_program') as BuiltInFunction[];

const argumentsOnPage = (section: string) => {
  const [, table = ''] = /^\| argument \|.*\n\|.*\n((?:\|.*\n)*)/m.exec(section) ?? [];
  return [...table.matchAll(/^\| `(\w+)` \|/gm)].map(([, name]) => name);
};

const exampleIn = (section: string) => /```yaml\n(.*?)```/s.exec(section)?.[1] ?? '';

describe('docs/reference/callback-functions.md', () => {
  it.each(names)('lists the arguments of %s in order', (name) => {
    expect(argumentsOnPage(sectionOf(name))).toEqual(Object.keys(argumentSchemas[name].properties));
  });

  it.each(names)('marks the required arguments of %s', (name) => {
    const required = [...sectionOf(name).matchAll(/^\| `(\w+)` \|.*Required\. \|$/gm)].map(([, argument]) => argument);
    expect(required).toEqual((argumentSchemas[name] as { required?: string[] }).required ?? []);
  });

  it.each(names)('has a valid example of %s', (name) => {
    const text = exampleIn(sectionOf(name));
    const callback = parse(text) as { function: string; callback_arguments?: Record<string, unknown> };
    expect(callback.function).toBe(name);
    const file = `label: x\nstates:\n  - label: one\n    callbacks:\n      - ${text.trim().replaceAll('\n', '\n        ')}\n`;
    expect(readDefinitionFile(file, '').faults).toEqual([]);
    const filled = renderPlaceholders(callback.callback_arguments ?? {}, makeRun({}).run);
    expect(faultFinder(argumentSchemas[name])(filled)).toEqual([]);
  });

  it('mentions only existing settings', () => {
    const named = new Set([...page.matchAll(/`(MILEPOST_(?!EXECUTION_)\w+)`/g)].map(([, name]) => name ?? ''));
    expect(named.size).toBe(7);
    expect([...named].filter((name) => !(name in settings))).toEqual([]);
  });

  it('mentions only existing placeholders', () => {
    const { run } = makeRun({});
    const source = { ...run, experiment: { ...run.experiment, variables: { grade: 2 } } };
    const placeholders = [...page.matchAll(/\{\{.*?\}\}/g)].map(([text]) => text);
    expect(new Set(placeholders).size).toBeGreaterThan(20);
    const filled = placeholders.map((text) => renderPlaceholders({ text }, source)['text']);
    expect(filled.filter((text) => String(text).includes('{{'))).toEqual([]);
  });
});
