/** Exports gauges of the connection pool, and how long requests and jobs wait for a connection. */
import { Gauge, type Registry } from 'prom-client';
import type { Database } from './connection.ts';

export function observePool(registry: Registry, { pool, connectSeconds }: Pick<Database, 'pool' | 'connectSeconds'>) {
  const gauge = (name: string, help: string, read: () => number) =>
    new Gauge({
      name,
      help,
      registers: [registry],
      collect() {
        this.set(read());
      },
    });
  gauge('milepost_database_connections', 'Open database connections.', () => pool.totalCount);
  gauge('milepost_database_connections_idle', 'Idle database connections.', () => pool.idleCount);
  gauge('milepost_database_waiting', 'Requests and jobs waiting for a database connection.', () => pool.waitingCount);
  registry.registerMetric(connectSeconds);
}
