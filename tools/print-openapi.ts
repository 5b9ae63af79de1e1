/**
 * Prints packages/server/openapi.json: the operations that are built, as a server with no settings documents them.
 *   node --conditions=source tools/print-openapi.ts [--check]
 */
import { openapi } from '@milepost/api';
import { builtOperations } from '../packages/server/src/app.ts';
import { settings } from '../packages/server/src/config.ts';
import { version } from '../packages/server/src/version.ts';
import { printOrCheck } from './printed-file.ts';

const basePath = settings.MILEPOST_BASE_PATH.fallback ?? '';

export const openapiText = (): string =>
  `${JSON.stringify(openapi(builtOperations, { version, basePath }), undefined, 2)}\n`;

if (import.meta.main) {
  await printOrCheck({ file: 'packages/server/openapi.json', text: openapiText(), command: 'npm run print' });
}
