/**
 * Query plans of imports, with 20 imports of 3,000 lines, half of which have a fault and a key, and with 5,000 older imports. Workers and
 * users read the lines of one import with an index, and no more of them than they need.
 *
 * @module-tag sql
 */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { inTransaction } from '../../src/database/transaction.ts';
import * as lines from '../../src/store/spreadsheets/import-lines.ts';
import * as mappings from '../../src/store/spreadsheets/import-mappings.ts';
import * as imports from '../../src/store/spreadsheets/imports.ts';
import type { Scope } from '../../src/store/scope.ts';
import { readsOf, rowsRead, sentPlan, statementsDuring, type Mode } from '../../testing/measure/sent-plans.ts';
import { analyzeWhole, manyRows } from '../../testing/rows/many-rows.ts';
import { startTestServer, type TestServer } from '../../testing/server.ts';
import { withClient } from '../../testing/test-database.ts';

const size = 3000;
let server: TestServer;
let one: { id: number; author_id: number; cohort_id: number };

beforeAll(async () => {
  server = await startTestServer({ rows: manyRows });
  await withClient(server.testDatabase.ownerUrl, async (client) => {
    // The last 20 have lines. Of these, 5 are due, and 5 are due later.
    await client.query(`insert into imports (author_id, cohort_id, file_name, encoding, delimiter, headers, mapping, column_faults, status, lines,
        next_at, ended_at)
      select users.ids[1 + n % 100], cohorts.ids[1 + n % cardinality(cohorts.ids)], '', 'utf-8', ',', '{a,b}', '[{}, {}]', '{0,0,0}',
        case when n > 5010 then 'running' else 'finished' end, ${size},
        now() + case when n > 5015 then interval '-1 s' else interval '1 day' end, case when n <= 5010 then now() end
      from (select array_agg(id order by id) as ids from users where username ~ '^u[0-9]+$') as users,
        (select array_agg(id order by id) as ids from cohorts) as cohorts, generate_series(1, 5020) n`);
    await client.query(`insert into import_lines (import_id, line, cells, result)
      select imports.id, n, '["x", "y"]', case when n % 2 = 0 then 'faulty' when n > 2900 then 'ready' else 'done' end
      from imports, generate_series(2, ${size + 1}) n where imports.id > 5000`);
    await client.query(`insert into import_faults (import_id, number, line, place, detail)
      select import_id, line * 1000, line, case when line % 100 = 0 then 2 else 1 end, 'x' from import_lines where result = 'faulty'`);
    await client.query(`insert into import_keys (import_id, key, value, line)
      select import_id, sha256(line::text::bytea), sha256(''), line from import_lines where result = 'faulty'`);
    await client.query(`insert into cohorts (label) select 'of imports ' || n from generate_series(1, 1000) n`);
    await client.query(`insert into import_mappings (cohort_id, name, columns, changed_by)
      select cohorts.id, 'mapping ' || n, '{}', (select min(id) from users) from cohorts, generate_series(1, 5) n`);
    for (const table of ['imports', 'import_lines', 'import_faults', 'import_keys', 'import_mappings'])
      await analyzeWhole(client, table);
  });
  const [row] = await server.sql<typeof one>(
    'select id::int, author_id::int, cohort_id::int from imports where id = 5020',
  );
  one = row ?? { id: 0, author_id: 0, cohort_id: 0 };
});
afterAll(() => server.stop());

const modes: Mode[] = ['force_custom_plan', 'force_generic_plan'];
const db = () => server.database.db;
const author = () => ({ id: one.author_id, scope: { kind: 'all' } satisfies Scope });
const inCohort = () => ({ id: one.author_id, scope: { kind: 'cohorts', ids: [one.cohort_id] } satisfies Scope });
const page = { after: 0, offset: 0, limit: 101 };
/** One more line is read. */
const pageOfLines = { ...page, limit: 100 };
const nextLines = () => ({ importId: one.id, after: 500, limit: 500 });
const keys = () =>
  Array.from({ length: 100 }, (_, n) => ({ key: Buffer.from([n]), value: Buffer.from([n]), line: 2 * n }));
const outcome = { result: 'done', subject: 'a', experiment: null, state: null } as const;
const outcomes = Array.from({ length: 100 }, (_, n) => ({
  line: n + 2,
  ...outcome,
  newSubject: false,
  newExperiment: false,
}));

interface Case {
  send: () => Promise<unknown>;
  table: string;
  rows: number;
  /** The index by author ends with the id, so it finds one import, too. */
  index: RegExp;
  /** Which of several statements. */
  text?: RegExp;
}

const cases: Record<string, Case> = {
  'the next import that is due': {
    send: () => inTransaction(db(), imports.lockDueImport),
    table: 'imports',
    rows: 5,
    index: /due_index/,
  },
  'the time of the next import': {
    send: () => imports.secondsUntilDue(db()),
    table: 'imports',
    rows: 1,
    index: /due_index/,
  },
  'the upload that is interrupted longest': {
    send: () => inTransaction(db(), (tx) => imports.lockIdleImport(tx, 'uploading', 10)),
    table: 'imports',
    rows: 1,
    index: /idle_index/,
  },
  'the import that is paused longest': {
    send: () => inTransaction(db(), (tx) => imports.lockIdleImport(tx, 'paused', 10)),
    table: 'imports',
    rows: 1,
    index: /idle_index/,
  },
  'the unended imports of an author': {
    send: () => inTransaction(db(), (tx) => imports.countUnended(tx, one.author_id)),
    table: 'imports',
    rows: 60,
    index: /author_index/,
  },
  'one import': {
    send: () => imports.getImport(db(), inCohort(), one.id),
    table: 'imports',
    rows: 1,
    index: /_pk|author_index/,
  },
  'the first lines of one import': {
    send: () => imports.getImport(db(), author(), one.id),
    table: 'import_lines',
    rows: 20,
    index: /_pk/,
  },
  'the lock of one import': {
    send: () => inTransaction(db(), (tx) => imports.lockImport(tx, author(), one.id)),
    table: 'imports',
    rows: 1,
    index: /_pk|author_index/,
    text: /for no key update/,
  },
  'a page of imports of their author': {
    send: () => imports.listImports(db(), author(), { before: undefined, limit: 51 }),
    table: 'imports',
    rows: 60,
    index: /author_index/,
  },
  'the next lines to check': {
    send: () => inTransaction(db(), (tx) => lines.listNextLines(tx, nextLines())),
    table: 'import_lines',
    rows: 500,
    index: /_pk/,
  },
  'the next ready lines': {
    send: () => inTransaction(db(), (tx) => lines.listNextLines(tx, { ...nextLines(), after: 0 }, 'ready')),
    table: 'import_lines',
    rows: 100,
    index: /result_index/,
  },
  'a page of lines': {
    send: () => lines.listLines(db(), one.id, pageOfLines),
    table: 'import_lines',
    rows: 101,
    index: /_pk/,
  },
  'a page of lines with a result': {
    send: () => lines.listLines(db(), one.id, { ...pageOfLines, result: 'ready' }),
    table: 'import_lines',
    rows: 101,
    index: /result_index/,
  },
  'a page of faults': {
    send: () => lines.listFaults(db(), one.id, page),
    table: 'import_faults',
    rows: 101,
    index: /_pk/,
  },
  'the values of a page of faults': {
    send: () => lines.listFaults(db(), one.id, page),
    table: 'import_lines',
    rows: 101,
    index: /_pk/,
  },
  'a page of faults in a column': {
    send: () => lines.listFaults(db(), one.id, { ...page, place: 2 }),
    table: 'import_faults',
    rows: 30,
    index: /place_index/,
  },
  'the lines with new results': {
    send: () => inTransaction(db(), (tx) => lines.saveOutcomes(tx, one.id, outcomes)),
    table: 'import_lines',
    rows: 100,
    index: /_pk/,
    text: /^\s*update import_lines/,
  },
  'the keys of some lines': {
    send: () => inTransaction(db(), (tx) => lines.claimKeys(tx, one.id, keys())),
    table: 'import_keys',
    rows: 100,
    index: /_pk/,
    text: /join import_keys/,
  },
  'the mappings of a cohort': {
    send: () => mappings.listMappings(db(), one.cohort_id, { limit: 100 }),
    table: 'import_mappings',
    rows: 5,
    index: /name_unique/,
  },
  'a mapping by its name': {
    send: () => mappings.findMapping(db(), one.cohort_id, 'mapping 2'),
    table: 'import_mappings',
    rows: 1,
    index: /name_unique/,
  },
};

describe.each(Object.entries(cases))('%s', (_what, { send, table, rows, index, text }) => {
  it.each(modes)('are found with an index (%s)', async (mode) => {
    const statements = await statementsDuring(send, text ?? new RegExp(`(from|join) "?${table}"?`, 's'));
    expect(statements).toHaveLength(1);
    const plan = statements[0] ? readsOf(await sentPlan(server, statements[0], mode), table) : [];
    const reads = plan.filter((node) => node['Node Type'] !== 'ModifyTable');
    expect(reads.map((node) => node['Index Name'] ?? node['Node Type'])).toEqual([expect.stringMatching(index)]);
    expect(rowsRead(reads)).toBeLessThanOrEqual(rows);
  });
});
