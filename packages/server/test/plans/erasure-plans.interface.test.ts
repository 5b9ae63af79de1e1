/**
 * An erasure reads the rows of the subject and no whole table that grows with the installation. It does read all stored
 * responses, because any response of the last day can name the subject, and all waiting jobs.
 *
 * @module-tag sql
 */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { insertLargeInstallation } from '../../testing/rows/large-installation.ts';
import { insertLargeSubject, type LargeSubject } from '../../testing/rows/large-subject.ts';
import { analyzeWhole, manyRows } from '../../testing/rows/many-rows.ts';
import { nestedPlans, type NestedPlan } from '../../testing/measure/nested-plans.ts';
import { nodes, readsOf, rowsRead, type Mode } from '../../testing/measure/sent-plans.ts';
import { startTestServer, type TestServer } from '../../testing/server.ts';
import { withClient } from '../../testing/test-database.ts';
import { timeoutsFor } from '../../src/database/connection.ts';

const modes: Mode[] = ['force_custom_plan', 'force_generic_plan'];

let server: TestServer;
let subject: LargeSubject;

const plansOfErasure = (mode: Mode) =>
  nestedPlans(
    server.testDatabase.superuserUrl,
    'select erase_subject($1, $2, 1, null)',
    [subject.erasureId, subject.label],
    mode,
  );

const allNodes = (plans: NestedPlan[]) => plans.flatMap(({ Plan }) => nodes(Plan));

/** The tables of which a statement read more than a thousand rows without an index. */
const scannedTables = (plans: NestedPlan[]) => {
  const scans = allNodes(plans).filter((node) => node['Node Type'] === 'Seq Scan' && rowsRead([node]) > 1000);
  return [...new Set(scans.map((node) => node['Relation Name'] ?? ''))].toSorted();
};

const buffers = (plan: NestedPlan['Plan']) => plan['Shared Hit Blocks'] + plan['Shared Read Blocks'];

const eventRowsRead = (plans: NestedPlan[]) => rowsRead(readsOf(allNodes(plans), 'events'));

describe('an erasure in a database with 50,000 rows in each table', () => {
  const size = { experiments: 20, moves: 5 };
  beforeAll(async () => {
    server = await startTestServer({ rows: manyRows });
    subject = await withClient(server.testDatabase.ownerUrl, async (owner) => {
      const inserted = await insertLargeSubject(owner, size);
      await analyzeWhole(owner);
      return inserted;
    });
  });
  afterAll(() => server.stop());

  it.each(modes)('scans no table except stored responses (%s)', async (mode) => {
    const plans = await plansOfErasure(mode);
    expect(plans.some(({ 'Query Text': text }) => text.includes('update events'))).toBe(true);
    expect(scannedTables(plans)).toEqual(['idempotency_keys']);
  });

  it.each(modes)('reads only the events of the subject (%s)', async (mode) => {
    expect(eventRowsRead(await plansOfErasure(mode))).toBe(size.experiments * size.moves);
  });
});

describe('an erasure with 10 million events', { tags: ['nightly'] }, () => {
  const size = { experiments: 1000, moves: 20 };
  const massMoves = { count: 5, events: 160_000 };
  beforeAll(async () => {
    server = await startTestServer({ timeouts: timeoutsFor(5) });
    subject = await withClient(server.testDatabase.ownerUrl, async (owner) => {
      const inserted = await insertLargeSubject(owner, size);
      await insertLargeInstallation(owner, { events: 10_000_000, responses: 500_000, massMoves });
      return inserted;
    });
  });
  afterAll(() => server.stop());

  it.each(modes)('reads the events of the transactions that changed the subject (%s)', async (mode) => {
    const plans = await plansOfErasure(mode);
    const [whole] = plans.map(({ Plan }) => buffers(Plan)).toSorted((one, other) => other - one);
    const events = plans.find(({ 'Query Text': text }) => text.includes('update events'));
    process.stdout.write(
      `${mode}: ${eventRowsRead(plans)} event rows, ${events && buffers(events.Plan)} buffers for events, ${whole} in total\n`,
    );
    // The subject has most rows of the other tables, so that scanning those is right.
    const large = new Set(['events', 'history', 'history_values']);
    expect(scannedTables(plans).filter((table) => large.has(table))).toEqual([]);
    expect(eventRowsRead(plans)).toBe(size.experiments * size.moves + massMoves.count * massMoves.events);
  });

  it('finishes within the time limit of a long statement', async () => {
    const { id, label, erasureId } = subject;
    const started = performance.now();
    const { status, body } = await server.call('eraseSubject', {
      params: { id },
      body: { erasure_id: erasureId, label },
    });
    process.stdout.write(
      `erased in ${Math.round(performance.now() - started)} ms: ${JSON.stringify(body.destroyed)}\n`,
    );
    expect(status).toBe(200);
    expect(body.destroyed.events).toBe(size.experiments * (size.moves + massMoves.count));
    const left = `select from events join experiments on experiments.id = object_id
      where object_kind = 'experiment' and subject_id = $1 and data <> '{}' limit 1`;
    expect(await server.sql(left, [id])).toEqual([]);
  });
});
