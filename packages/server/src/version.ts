import { readFileSync } from 'node:fs';

const file = readFileSync(new URL('../package.json', import.meta.url), 'utf8');
const { version, engines } = JSON.parse(file) as { version: string; engines: { node: string } };

/** Of this server, as its package says. */
export { version };

/** Such as 24.6; what package managers are told, too. */
export const oldestNode = engines.node.replace('>=', '');
