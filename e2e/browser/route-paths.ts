/** The paths of the route table of the pages, read from its text: the table itself loads every page. */
import { readFileSync } from 'node:fs';

const source = readFileSync(new URL('../../packages/web/src/routes.tsx', import.meta.url), 'utf8');
const table = source.slice(0, source.indexOf('export const createRouter'));

const literal = [...table.matchAll(/\bpath: '([^']+)'/g)].flatMap(([, path]) => path ?? []);
const redirected = /\.\.\.\[([^\]]+)\]\.map\(\(redirected\)/.exec(table)?.[1] ?? '';
const redirects = [...redirected.matchAll(/'(\w+)'/g)].map(([, name]) => `${name}/:id`);

/** `''` is the start page. */
export const routePaths: readonly string[] = ['', 'sign-in', ...literal, ...redirects];

/** The start page, the redirects and `/sign-in` have no literal path. Another way to write a route would be overlooked. */
export const overlookedRoutes = (table.match(/\b(?:path|index): /g)?.length ?? 0) - literal.length - 3;

const patternOf = (route: string) =>
  new RegExp(`^/${route === '*' ? 'nothing/here' : route.replaceAll(':id', '\\d+')}$`);

/** The routes that no example address leads to. */
export const routesWithout = (addresses: readonly string[]): string[] =>
  routePaths.filter((route) => !addresses.some((address) => patternOf(route).test(address.split('?', 1)[0] ?? '')));
