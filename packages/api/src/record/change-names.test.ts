import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { automaticChanges, changeNames } from './change-names.ts';

const page = readFileSync(new URL('../../../../docs/reference/events.md', import.meta.url), 'utf8');
const documented = new Set(
  [...page.slice(page.indexOf('## Kinds')).matchAll(/`([a-z]+[A-Z]\w*|reconcile)`/g)].map(([, name = '']) => name),
);

it('contains every kind of event that the documentation lists', () => {
  expect(documented.size).toBeGreaterThan(40);
  expect([...documented].filter((name) => !changeNames.includes(name))).toEqual([]);
});

it('contains no automatic change that the documentation does not list', () => {
  expect(automaticChanges.filter((name) => !documented.has(name))).toEqual([]);
});
