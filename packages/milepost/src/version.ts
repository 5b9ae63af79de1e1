import { readFileSync } from 'node:fs';

const file = readFileSync(new URL('../package.json', import.meta.url), 'utf8');

/** Of what people install, as its package says. */
export const version = (JSON.parse(file) as { version: string }).version;
