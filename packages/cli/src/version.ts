import { readFileSync } from 'node:fs';

const file = readFileSync(new URL('../package.json', import.meta.url), 'utf8');

/** The version in package.json. */
export const version = (JSON.parse(file) as { version: string }).version;
