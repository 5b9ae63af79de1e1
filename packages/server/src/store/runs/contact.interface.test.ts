import { sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { Db } from '../../database/connection.ts';
import { inTransaction } from '../../database/transaction.ts';
import { startTestServer, type TestServer } from '../../../testing/server.ts';
import { leaseLimit, recordContact } from './contact.ts';

let server: TestServer;
let db: Db;
beforeAll(async () => {
  server = await startTestServer();
  ({ db } = server.database);
});
afterAll(() => server.stop());

interface Contact {
  /** All in seconds ago. */
  last: number;
  gaps?: readonly (readonly [from: number, to: number])[];
}

const ago = (seconds: number) => sql<string>`now() - ${seconds} * interval '1 second'`;

async function setContact(on: Db, { last, gaps = [] }: Contact): Promise<void> {
  await on.deleteFrom('contact_gaps').execute();
  for (const [from, to] of gaps) {
    const gap = { holder: 'worker' as const, started_at: ago(from), ended_at: ago(to) };
    await on.insertInto('contact_gaps').values(gap).execute();
  }
  await on
    .updateTable('contact')
    .set({ at: ago(last) })
    .execute();
}

const gapsOf = () => server.sql('select holder from contact_gaps');

describe('recordContact', () => {
  beforeEach(() => setContact(db, { last: 0 }));

  it('records the time without contact', async () => {
    await setContact(db, { last: 1003 });
    expect(await recordContact(db, 'worker')).toBeGreaterThanOrEqual(1000);
    expect(await gapsOf()).toEqual([{ holder: 'worker' }]);
  });

  it('records one gap if many processes return at the same time', async () => {
    await setContact(db, { last: 1003 });
    const all = await Promise.all(Array.from({ length: 20 }, () => recordContact(db, 'worker')));
    expect(all.filter((seconds) => seconds >= 1000)).toHaveLength(1);
  });

  it('follows a clock that was set back', async () => {
    await setContact(db, { last: -1000 });
    await recordContact(db, 'worker');
    // Stored times are rounded to milliseconds, possibly up.
    const past = await server.sql(`select at <= now()::timestamptz(3) as past from contact where holder = 'worker'`);
    expect(past).toEqual([{ past: true }]);
  });

  it('removes gaps after a week', async () => {
    await setContact(db, { last: 0, gaps: [[800_000, 700_000]] });
    await recordContact(db, 'worker');
    expect(await server.sql(`select from contact_gaps where ended_at < now() - interval '1 day'`)).toEqual([]);
  });
});

/** Gaps of 100 s with a contact of 3 s after each. */
const short = Array.from({ length: 30 }, (_, index) => [103 * (index + 1), 103 * index + 3] as const);

describe('leaseLimit', () => {
  /** How old a heartbeat can be, in seconds. In one transaction, so that `now()` stays the same. */
  const limitAfter = (contact: Contact) =>
    inTransaction(db, async (tx) => {
      await setContact(tx, contact);
      const { rows } = await sql<{ seconds: number }>`
        select round(extract(epoch from now() - ${leaseLimit(sql.lit('worker'))})::numeric, 1)::float as seconds`.execute(
        tx,
      );
      return rows[0]?.seconds;
    });

  it.for<{ when: string; seconds: number } & Contact>([
    { when: 'in normal operation', last: 2, seconds: 20 },
    { when: 'during an outage', last: 1003, seconds: 1020 },
    { when: 'after an outage', last: 0, gaps: [[1010, 10]], seconds: 1020 },
    { when: 'long after an outage', last: 0, gaps: [[1030, 30]], seconds: 20 },
    {
      when: 'after two outages with 10 s of contact between them',
      last: 0,
      gaps: [
        [2015, 1015],
        [1005, 5],
      ],
      seconds: 2020,
    },
    {
      when: 'after two outages with 25 s of contact between them',
      last: 0,
      gaps: [
        [2030, 1030],
        [1005, 5],
      ],
      seconds: 1020,
    },
    { when: 'after many outages in a row', last: 0, gaps: short, seconds: 620 },
  ])('allows a heartbeat $seconds s ago $when', async ({ seconds, ...contact }) => {
    expect(await limitAfter(contact)).toBe(seconds);
  });
});
