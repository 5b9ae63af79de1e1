/** Public endpoints for machines: health, readiness, versions, the OpenAPI document and the schema of workflow files. */
import { readFileSync } from 'node:fs';
import { openapi, type Operations } from '@milepost/api';
import type { FastifyInstance } from 'fastify';
import type { Config } from '../config.ts';
import type { Database } from '../database/connection.ts';
import { readInstallationId } from '../database/installation-id.ts';
import { pendingMigrations } from '../database/migrate.ts';
import type { GracefulShutdown } from '../http/graceful-shutdown.ts';
import { toProblem } from '../http/problem.ts';
import { version } from '../version.ts';

export const healthPaths = ({ basePath }: Config) => [
  '/-/healthy',
  '/-/ready',
  '/-/versions',
  `${basePath}/openapi.json`,
  `${basePath}/workflow.schema.json`,
];

/** The committed file. The built code has it at the same relative path. */
const workflowSchema = readFileSync(new URL('../../workflow.schema.json', import.meta.url), 'utf8');

interface Parts {
  database: Database;
  shutdown: GracefulShutdown;
}

export function mountHealth(app: FastifyInstance, config: Config, parts: Parts, built: Operations): void {
  const { basePath } = config;
  const document = openapi(built, { version, basePath });
  app.get('/-/healthy', { config: { operation: 'healthy' } }, async () => ({ healthy: true }));
  const readInstallation = installationReader(parts.database);
  app.get('/-/versions', { config: { operation: 'versions' } }, async () => ({
    version,
    api_versions: { '2.0': basePath },
    installation: await readInstallation(),
  }));
  app.get(`${basePath}/openapi.json`, { config: { operation: 'openapi' } }, async () => document);
  app.get(`${basePath}/workflow.schema.json`, { config: { operation: 'workflowSchema' } }, async (_request, reply) =>
    reply.type('application/schema+json; charset=utf-8').send(workflowSchema),
  );
  app.get('/-/ready', { config: { operation: 'ready' } }, async (_request, reply) => {
    const reason = await notReadyReason(parts);
    if (reason !== undefined) reply.code(503).header('retry-after', 2);
    return reason === undefined ? { ready: true } : { ready: false, reason };
  });
}

/** Reads it once. Null while the database does not respond. */
function installationReader({ db }: Database): () => Promise<string | null> {
  let known: string | null = null;
  return async () => (known ??= await readInstallationId(db).catch(() => null));
}

/** Undefined if the server is ready. */
async function notReadyReason({ database: { pool }, shutdown }: Parts): Promise<string | undefined> {
  if (shutdown.hasStarted()) return 'The server is shutting down.';
  try {
    const pending = await pendingMigrations((text) => pool.query(text));
    return pending.length === 0
      ? undefined
      : `Migrations are pending: ${pending.join(', ')}. Run \`milepost migrate\`.`;
  } catch (error) {
    return toProblem(error).message;
  }
}
