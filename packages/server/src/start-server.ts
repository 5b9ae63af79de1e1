/** Starts everything one server process consists of, and ends it in the order that loses nothing. */
import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import { collectDefaultMetrics, type Registry } from 'prom-client';
import { buildApp } from './app.ts';
import { SettingsError, type Config } from './config.ts';
import { openDatabase, type Database } from './database/connection.ts';
import { canRewriteHistory, pendingMigrations } from './database/migrate.ts';
import { createFirstAdmin, type FirstAdmin } from './engine/people/create-first-admin.ts';
import { addressOf } from './http/address.ts';
import { createLogger } from './http/log.ts';

export interface RunningServer {
  url: string;
  metricsUrl: string;
  /** Set where this start made the first account. */
  firstAdmin: FirstAdmin | undefined;
  /** Lets running requests end, then closes. */
  stop: () => Promise<void>;
}

export async function startServer(config: Config): Promise<RunningServer> {
  const logger = createLogger(config.logLevel);
  const onError = (error: Error) => logger.warn({ err: error }, 'a database connection was lost');
  const database = openDatabase({ ...config, onError });
  const started = [database.close];
  const stop = async () => {
    for (const end of started.toReversed()) await end();
  };
  try {
    await refuseUnfitDatabase(config, database);
    const { http, metrics, passwords } = buildApp(config, database, logger);
    const metricsServer = serveMetrics(metrics);
    await listenOn(metricsServer, config.metrics, 'MILEPOST_METRICS_PORT');
    started.push(() => closeMetrics(metricsServer));
    await http.ready();
    await listenOn(http.server, config, 'MILEPOST_PORT');
    started.push(() => http.close());
    // After listening: a start that fails for a port in use must not have made an account whose password nobody saw.
    const firstAdmin = await createFirstAdmin(database.db, passwords, config.firstAdmin);
    return { url: addressOf(http.server), metricsUrl: `${addressOf(metricsServer)}/metrics`, firstAdmin, stop };
  } catch (error) {
    await stop();
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

async function listenOn(server: Server, place: { host: string; port: number }, setting: string): Promise<void> {
  try {
    server.listen(place.port, place.host);
    await once(server, 'listening');
  } catch (error) {
    const { code } = error as { code?: string };
    if (code === 'EADDRINUSE') {
      throw new SettingsError(`${place.host}:${place.port} is in use by another program: stop it, or set ${setting}.`);
    }
    throw new SettingsError(
      `${place.host}:${place.port} cannot be listened on (${code}): change ${setting} or its host.`,
    );
  }
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

async function closeMetrics(server: Server): Promise<void> {
  server.closeAllConnections();
  await new Promise((resolve) => server.close(resolve));
}
