import { readFileSync } from 'node:fs';
import { operations } from '@milepost/api';
import { expect, it } from 'vitest';

/** The examples of the interface hold one of every kind. */
const named = JSON.stringify(operations).matchAll(/"web_uri":"https:\/\/milepost\.example\.org\/(\w+)\/\d+"/g);
const collections = [...new Set([...named].map(([, collection]) => collection))];
const routes = readFileSync(new URL('routes.tsx', import.meta.url), 'utf8');
const paths = [...routes.matchAll(/path: '([^']+)'/g)].map(([, path]) => path);

it('finds the kinds of resources that have a page', () => {
  expect(collections).toContain('subjects');
});

it.each(collections)('shows a page at the web_uri of %s', (collection) => {
  expect(paths).toContain(`${collection}/:id`);
});
