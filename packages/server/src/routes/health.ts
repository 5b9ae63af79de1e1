/**
 * What machines ask: is the process up, can it serve, which versions does it speak, how are requests and workflow files
 * written. Open to everybody.
 */
import { readFileSync } from 'node:fs';
import { openapi, type Operations } from '@milepost/api';
import type { FastifyInstance } from 'fastify';
import type { Config } from '../config.ts';
import type { Database } from '../database/connection.ts';
import { pendingMigrations } from '../database/migrate.ts';
import type { Leave } from '../http/leave.ts';
import { toProblem } from '../http/problem.ts';
import { version } from '../version.ts';

/** What is mounted here. */
export const healthPaths = ({ basePath }: Config) => [
  '/-/healthy',
  '/-/ready',
  '/-/versions',
  `${basePath}/openapi.json`,
  `${basePath}/workflow.schema.json`,
];

/** As it is printed and committed; built code finds it at the same place. */
const workflowSchema = readFileSync(new URL('../../workflow.schema.json', import.meta.url), 'utf8');

interface Parts {
  database: Database;
  leave: Leave;
}

export function mountHealth(app: FastifyInstance, config: Config, parts: Parts, built: Operations): void {
  const { basePath } = config;
  const document = openapi(built, { version, basePath });
  app.get('/-/healthy', { config: { operation: 'healthy' } }, async () => ({ healthy: true }));
  app.get('/-/versions', { config: { operation: 'versions' } }, async () => ({
    version,
    api_versions: { '2.0': basePath },
  }));
  app.get(`${basePath}/openapi.json`, { config: { operation: 'openapi' } }, async () => document);
  app.get(`${basePath}/workflow.schema.json`, { config: { operation: 'workflowSchema' } }, async (_request, reply) =>
    reply.type('application/schema+json; charset=utf-8').send(workflowSchema),
  );
  app.get('/-/ready', { config: { operation: 'ready' } }, async (_request, reply) => {
    const obstacle = await findObstacle(parts);
    if (obstacle !== undefined) reply.code(503).header('retry-after', 2);
    return obstacle === undefined ? { ready: true } : { ready: false, reason: obstacle };
  });
}

/** Why this process cannot serve, or undefined. */
async function findObstacle({ database: { pool }, leave }: Parts): Promise<string | undefined> {
  if (leave.hasStarted()) return 'This server is about to end.';
  try {
    const pending = await pendingMigrations((text) => pool.query(text));
    return pending.length === 0
      ? undefined
      : `The database lacks the migrations ${pending.join(', ')}: run the migrations.`;
  } catch (error) {
    return toProblem(error).message;
  }
}
