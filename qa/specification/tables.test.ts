/** The tables cover the whole specification and know nothing of the product. */
import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { recorded } from './deviations.ts';
import { operations } from './operations/index.ts';
import { resources, type Shape } from './resources.ts';

const folder = new URL('.', import.meta.url);
const sources = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter(
  (file) => file.endsWith('.ts') && !file.endsWith('.test.ts'),
);
const importsOf = (file: string): string[] =>
  [...readFileSync(new URL(file, folder), 'utf8').matchAll(/\bfrom\s*'([^']+)'|\bimport\s*\(?\s*'([^']+)'/g)].map(
    ([, from, imported]) => from ?? imported ?? '',
  );

/** All names of types in a shape. */
const namesIn = (shape: Shape): string[] =>
  typeof shape === 'string' ? [shape] : Object.values(shape).flatMap((inner: Shape) => namesIn(inner));

describe('the tables', () => {
  it('have each of the 78 operations once', () => {
    const names = operations.map(({ operation }) => operation);
    expect(new Set(names).size).toBe(78);
    expect(names).toHaveLength(78);
  });

  it('refer only to known types and resources', () => {
    const shapes = [...Object.values(resources), ...operations.map(({ response }) => response)];
    const known = new Set(['integer', 'string', 'boolean', 'object', ...Object.keys(resources)]);
    expect(shapes.flatMap(namesIn).filter((name) => !known.has(name))).toEqual([]);
  });

  it.each(operations)('have several valid values for each field of $operation', ({ request, query, values = {} }) => {
    const fields = Object.keys({ ...request, ...query });
    expect(fields.filter((name) => (values[name]?.length ?? 0) < 2)).toEqual([]);
  });

  it('name an existing decision for each deviation and each status that is never returned', () => {
    const files = readdirSync(new URL('../../docs/decisions/', folder));
    const decisions = new Set(files.map((file) => file.slice(0, 4)));
    const named = [
      ...recorded.map(({ decision }) => decision),
      ...operations.flatMap(({ unreachable = {} }) => Object.values(unreachable)),
    ];
    expect(named.filter((decision) => !decisions.has(decision))).toEqual([]);
  });

  it('import only each other and modules of Node', () => {
    expect(sources.length).toBeGreaterThan(20);
    const outside = sources.flatMap((file) =>
      importsOf(file).filter((name) => {
        const isInside = name.startsWith('.') && new URL(name, new URL(file, folder)).href.startsWith(folder.href);
        return !isInside && !name.startsWith('node:');
      }),
    );
    expect(outside).toEqual([]);
  });
});
