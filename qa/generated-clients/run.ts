/**
 * `npm run qa:generated-clients`: generates a Python and a TypeScript client from the OpenAPI document of a running server, and
 * calls ten operations with each. Fails on any warning of a generator, type error or unexpected response.
 */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { cloneDatabase, startTestPostgres } from '../../packages/server/testing/postgres-server.ts';
import { startServerProcess } from '../../packages/server/testing/processes/server-process.ts';
import { tryPython, tryTypescript } from './generate.ts';

const admin = { username: 'admin', password: 'violet harbour 31 kettles' };
const folder = mkdtempSync(join(tmpdir(), 'milepost-generated-clients-'));
const { server: postgres, end } = await startTestPostgres();
try {
  const { databaseUrl } = await cloneDatabase(postgres);
  const server = await startServerProcess({
    DATABASE_URL: databaseUrl,
    MILEPOST_LOG_LEVEL: 'error',
    MILEPOST_ADMIN_USERNAME: admin.username,
    MILEPOST_ADMIN_PASSWORD: admin.password,
  });
  const document = join(folder, 'openapi.json');
  writeFileSync(document, await (await fetch(`${server.baseUrl}/openapi.json`)).text());
  const target = { folder, document, server: [server.baseUrl, admin.username, admin.password] as const };
  try {
    tryPython(target);
    tryTypescript(target);
    console.log('Both generated clients work.');
  } finally {
    await server.stop();
  }
} finally {
  await end();
  rmSync(folder, { recursive: true });
}
