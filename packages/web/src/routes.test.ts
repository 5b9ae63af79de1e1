import { readFileSync } from 'node:fs';
import { operations } from '@milepost/api';
import { expect, it } from 'vitest';

/** The examples of the API contain every kind of resource. */
const named = JSON.stringify(operations).matchAll(/"web_uri":"https:\/\/milepost\.example\.org\/(\w+)\/\d+"/g);
const collections = [...new Set([...named].map(([, collection]) => collection))];
const routes = readFileSync(new URL('routes.tsx', import.meta.url), 'utf8');
const paths = [...routes.matchAll(/path: '([^']+)'/g)].map(([, path]) => path);

it('the examples of the API contain the web_uri of a subject', () => {
  expect(collections).toContain('subjects');
});

it.each(collections)('routes.tsx has a page for the web_uri of %s', (collection) => {
  expect(paths).toContain(`${collection}/:id`);
});
