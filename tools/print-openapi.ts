/**
 * Prints packages/server/openapi.json: the API as a server with default settings describes it.
 *   node --conditions=source tools/print-openapi.ts [--check]
 */
import { openapi, operations } from '@milepost/api';
import { settings } from '../packages/server/src/config.ts';
import { version } from '../packages/server/src/version.ts';
import { printOrCheck } from './printed-file.ts';

const basePath = settings.MILEPOST_BASE_PATH.fallback ?? '';

export const openapiText = (): string =>
  `${JSON.stringify(openapi(operations, { version, basePath }), undefined, 2)}\n`;

if (import.meta.main) {
  await printOrCheck({ file: 'packages/server/openapi.json', text: openapiText(), command: 'npm run print' });
}
