import { readFileSync } from 'node:fs';

const file = readFileSync(new URL('../package.json', import.meta.url), 'utf8');
const { version, engines } = JSON.parse(file) as { version: string; engines: { node: string } };

/** The version of this server, from its package. */
export { version };

/** Such as 24.6; the same as in `engines`, which package managers check. */
export const oldestNode = engines.node.replace('>=', '');
