/**
 * `npm run qa:generated-clients`: generates a Python and a TypeScript client from the OpenAPI document of a running server, and
 * calls ten operations with each. Fails on any warning of a generator, type error or unexpected response.
 */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { ServerProcess } from '../../packages/server/testing/processes/server-process.ts';
import { admin, withServer } from '../with-server.ts';
import { tryPython, tryTypescript } from './generate.ts';

const folder = mkdtempSync(join(tmpdir(), 'milepost-generated-clients-'));

async function tryClients({ baseUrl }: ServerProcess): Promise<void> {
  const document = join(folder, 'openapi.json');
  writeFileSync(document, await (await fetch(`${baseUrl}/openapi.json`)).text());
  const target = { folder, document, server: [baseUrl, admin.username, admin.password] as const };
  tryPython(target);
  tryTypescript(target);
  console.log('Both generated clients work.');
}

try {
  await withServer(tryClients);
} finally {
  rmSync(folder, { recursive: true });
}
