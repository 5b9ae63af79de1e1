/** Starts everything one server process consists of, and ends it in the order that loses nothing. */
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { collectDefaultMetrics, type Registry } from 'prom-client';
import { buildApp } from './app.ts';
import { SettingsError, type Config } from './config.ts';
import { openDatabase, type Database } from './database/connection.ts';
import { canRewriteHistory, pendingMigrations } from './database/migrate.ts';
import { createFirstAdmin, type FirstAdmin } from './engine/create-first-admin.ts';
import { createPasswords } from './passwords.ts';

export interface RunningServer {
  url: string;
  metricsUrl: string;
  /** Set where this start made the first account. */
  firstAdmin: FirstAdmin | undefined;
  /** Lets running requests end, then closes. */
  stop: () => Promise<void>;
}

export async function startServer(given: Config): Promise<RunningServer> {
  const database = openDatabase({ ...given, onError: () => undefined });
  try {
    await refuseUnfitDatabase(given, database);
    const firstAdmin = await createFirstAdmin(database.db, createPasswords(), given.firstAdmin);
    return { firstAdmin, ...(await listen(given, database)) };
  } catch (error) {
    await database.close();
    throw error;
  }
}

async function refuseUnfitDatabase({ unsafeDatabaseRole }: Config, { pool }: Database): Promise<void> {
  const query = (text: string) => pool.query(text);
  const pending = await pendingMigrations(query);
  if (pending.length > 0) {
    throw new SettingsError(
      `The database lacks the migrations ${pending.join(', ')}. Run the migrations as its owner first.`,
    );
  }
  if (!unsafeDatabaseRole && (await canRewriteHistory(query))) {
    throw new SettingsError(
      'DATABASE_URL signs in as a role that could rewrite the history. Use the application role that the migrations grant ' +
        'its rights to; for development only, MILEPOST_UNSAFE_DATABASE_ROLE=allow serves all the same.',
    );
  }
}

async function listen(config: Config, database: Database) {
  const { http, metrics } = buildApp(config, database);
  const metricsServer = serveMetrics(metrics);
  await http.listen({ host: config.host, port: config.port });
  await new Promise<void>((resolve, reject) => {
    metricsServer.once('error', reject);
    metricsServer.listen(config.metrics.port, config.metrics.host, resolve);
  });
  return {
    url: addressOf(http.server),
    metricsUrl: `${addressOf(metricsServer)}/metrics`,
    stop: async () => {
      await http.close();
      metricsServer.closeAllConnections();
      await new Promise((resolve) => metricsServer.close(resolve));
      await database.close();
    },
  };
}

function serveMetrics(registry: Registry): Server {
  collectDefaultMetrics({ register: registry });
  return createServer((request, response) => {
    if (request.url !== '/metrics') response.writeHead(404).end('The metrics are at /metrics.\n');
    else
      void registry
        .metrics()
        .then((text) => response.writeHead(200, { 'content-type': registry.contentType }).end(text));
  });
}

function addressOf(server: Server): string {
  const { address, port, family } = server.address() as AddressInfo;
  return `http://${family === 'IPv6' ? `[${address}]` : address}:${port}`;
}
