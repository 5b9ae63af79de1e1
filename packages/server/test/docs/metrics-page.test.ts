/** Compares the metrics page with the metrics of server and worker, their types and labels, and the periodic tasks. */
import { globSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import fastify from 'fastify';
import { Registry } from 'prom-client';
import { describe, expect, it } from 'vitest';
import { openDatabase, type Database } from '../../src/database/connection.ts';
import { observePool } from '../../src/database/observe-pool.ts';
import { createWorkflowLocks } from '../../src/engine/experiments/workflow-locks.ts';
import { createMetrics, observe, observeConditions } from '../../src/http/observe.ts';
import { retention } from '../../src/store/record/retention.ts';
import { createWorkMetrics } from '../../src/work/metrics.ts';

const root = fileURLToPath(new URL('../../../../', import.meta.url));
const page = readFileSync(`${root}docs/reference/metrics.md`, 'utf8');

const sectionOf = (heading: string) => page.split(`\n## ${heading}\n`)[1]?.split('\n## ')[0] ?? '';
const namesIn = (text: string) => [...text.matchAll(/`(\w+)`/g)].map(([, name = '']) => name);

/** Each row of a table: | `name` | type | labels | meaning | */
const onPage = (section: string) =>
  [...section.matchAll(/^\| `(milepost_\w+)` \| (\w+) \| (.*?)\| .+ \|$/gm)].map(([, name, type, labels = '']) =>
    [name, type, ...namesIn(labels)].join(' '),
  );

/** The labels of a metric are in a field that its type does not declare. */
const inCode = (registry: Registry) =>
  registry
    .getMetricsAsArray()
    .map(({ name, type, ...metric }) =>
      [name, type, ...(metric as unknown as { labelNames: string[] }).labelNames].join(' '),
    );

describe('docs/reference/metrics.md', () => {
  it('lists the metrics of a server with type and labels', async () => {
    const http = fastify();
    const idle = { streams: {} } as unknown as Pick<Database, 'streams'>;
    const registry = createMetrics(idle);
    observe(http, registry);
    observeConditions(registry, () => []);
    expect(onPage(sectionOf('Server')).toSorted()).toEqual(inCode(registry).toSorted());
    await http.close();
  });

  it('lists the metrics of a worker with type and labels', () => {
    const { registry } = createWorkMetrics(
      () => 0,
      async () => [],
    );
    expect(onPage(sectionOf('Worker')).toSorted()).toEqual(inCode(registry).toSorted());
  });

  it('lists the database metrics with type and labels', async () => {
    const registry = new Registry();
    const database = openDatabase({
      databaseUrl: 'postgresql://unused.invalid/unused',
      poolSize: 1,
      streamPoolSize: 1,
      statementSeconds: 5,
      onError: () => undefined,
    });
    observePool(registry, database);
    createWorkflowLocks(database.db, registry);
    expect(onPage(sectionOf('Database')).toSorted()).toEqual(inCode(registry).toSorted());
    await database.close();
  });

  it('lists exactly the metrics in the sources', () => {
    const files = globSync('packages/server/src/**/*.ts', { cwd: root }).filter((file) => !file.endsWith('.test.ts'));
    const source = files.map((file) => readFileSync(root + file, 'utf8')).join('\n');
    const named = [...source.matchAll(/(?:name: |gauge\()'(milepost_\w+)'/g)].map(([, name = '']) => name);
    const listed = [...page.matchAll(/^\| `(milepost_\w+)` \| \w+ \|/gm)].map(([, name = '']) => name);
    expect(listed.toSorted()).toEqual(named.toSorted());
  });

  it('lists every periodic task with its interval', () => {
    const source = readFileSync(`${root}packages/server/src/tasks.ts`, 'utf8');
    const tasks = [...source.matchAll(/name: '(\w+)',\s*everySeconds: (\d+)/g)].map(
      ([, name, every]) => `${name} ${every}`,
    );
    const listed = [...sectionOf('Worker').matchAll(/^\| `(\w+)` \| (\d+) s \|/gm)].map(
      ([, name, every]) => `${name} ${every}`,
    );
    expect(listed.toSorted()).toEqual(tasks.toSorted());
  });

  it('lists all data that workers remove', () => {
    const [, listed = ''] = /^The values of `what` are (.+)\.$/m.exec(page) ?? [];
    expect(namesIn(listed).toSorted()).toEqual(retention.map(({ what }) => what).toSorted());
  });
});
