import { readFileSync } from 'node:fs';
import type { Specification } from './interface-differences.ts';

const read = (name: string) => JSON.parse(readFileSync(new URL(`../${name}`, import.meta.url), 'utf8'));

/** The specification's tables. */
export const specification: Specification = read('interface.json');

/** Our additions to them, with the reason. */
export const additions: { reason: string; additions: string[] }[] = read('additions.json');
