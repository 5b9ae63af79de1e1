/**
 * Every list as CSV and as JSON lines: the rows are those of all JSON pages, whole or with filters, and formulas are neutralised.
 *
 * @module-tag sql
 */
import { basic, operations, type Operation, type OperationName } from '@milepost/api';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { countAllInsights } from '../testing/count-insights.ts';
import { foldCounts } from '../src/store/experiments/state-counts.ts';
import { makeShared, makeStudy, type Study } from '../testing/foreign-cohort/marked-study.ts';
import { readsOf } from '../testing/foreign-cohort/requests.ts';
import { startTestServer, testPassword, type Parts, type TestServer } from '../testing/server.ts';

let server: TestServer;
let study: Study;
beforeAll(async () => {
  server = await startTestServer();
  // A label that a spreadsheet would run, with characters that must be quoted.
  study = await makeStudy(server, await makeShared(server), '=1+"a", é');
  await server.sql(`insert into sessions (user_id, token_hash, address, user_agent) select 1, sha256('x'), '', '@x'`);
  await server.sql(`insert into api_tokens (user_id, token_hash, name, permissions, expires_at)
    select 1, sha256(n::text::bytea), '-x', '{audit_read}', now() + interval '1 day' from generate_series(1, 3) n`);
  await server.sql(`insert into checkpoints (number, at, up_to_xid, up_to_id, key_id, heads, signature, hash)
    select n, now(), '3', 1, 'k', '', sha256('s') || sha256('s'), sha256(n::text::bytea) from generate_series(1, 3) n`);
  // Until its counts are folded, the last activity of a cohort is the time of the request.
  await foldCounts(server.database.db);
  // Two experiments of different sites that a user decided on several times.
  await server.sql(`with decides as (update states set decision = '{}' where label = 'arrived'), chosen as (
      select experiment_id, row_number() over () as place from (select distinct experiment_id from actions) as one limit 2
    ), answered as (
      insert into experiment_variables (experiment_id, name, value) select experiment_id, 'site', to_jsonb('site ' || place) from chosen
      on conflict (experiment_id, name) do nothing)
    insert into actions (experiment_id, sequence, transition_id, actor_kind, actor_id)
      select experiment_id, n, transitions.id, 'user', 1 from chosen, generate_series(101, 106) n, transitions
      join states on states.id = source_state_id where states.label = 'arrived' and kind = 'defined'`);
  await countAllInsights(server.database.db);
});
afterAll(() => server.stop());

/** By the name or by the parameters, so that a new list is found however it is declared. */
const isList = (name: OperationName) => {
  const { method, stream, lines, query }: Operation = operations[name];
  if (method !== 'GET' || stream || lines) return false;
  const parameters = query?.properties ?? {};
  return name.startsWith('list') || ('limit' in parameters && ('after' in parameters || 'before' in parameters));
};
const names = (Object.keys(operations) as OperationName[]).filter(isList);

/** Requests for complete lists. The mark of the study is no query. */
function requestsOf(name: OperationName): Parts[] {
  const others: Partial<Record<OperationName, Parts>> = { listApiTokens: { params: { id: 1 } }, searchExperiments: {} };
  const known = others[name] ? [others[name]] : (readsOf(study)[name]?.map(({ parts }) => parts) ?? []);
  const complete = known.filter(({ query = {} }) => !('limit' in query) && !('after' in query));
  return complete.length > 0 ? complete : [{}];
}

async function send(name: OperationName, { params = {}, query = {} }: Parts, accept: string, as = 'admin') {
  const path = operations[name].path.replaceAll(/\{(\w+)\}/g, (_, key: string) =>
    encodeURIComponent(String(params[key])),
  );
  const search = new URLSearchParams(
    Object.entries(query).map(([key, value]): [string, string] => [key, String(value)]),
  );
  const headers = { authorization: basic(as, testPassword), accept };
  const response = await fetch(`${server.baseUrl}${path}?${search.toString()}`, { headers });
  return { status: response.status, headers: response.headers, text: await response.text() };
}

type Row = Record<string, unknown>;

/** The rows of all JSON pages, and the name of their array. */
async function readPages(name: OperationName, parts: Parts): Promise<Row[]> {
  const rows: Row[] = [];
  for (let query = { ...parts.query }; ;) {
    const { text, headers } = await send(name, { ...parts, query }, 'application/json');
    const page = Object.values(JSON.parse(text) as Record<string, Row[]>).find((value) => Array.isArray(value));
    rows.push(...(page ?? []));
    const next = /<(.+)>/.exec(headers.get('link') ?? '')?.[1];
    if (next === undefined) return rows;
    query = Object.fromEntries(new URL(next, server.origin).searchParams);
  }
}

/** A parser of its own, as strict as RFC 4180. */
function parseCsv(text: string): string[][] {
  const cell = /(?:"((?:[^"]|"")*)"|([^",\r\n]*))(,|\r\n)/y;
  const lines: string[][] = [[]];
  while (cell.lastIndex < text.length) {
    const at = cell.lastIndex;
    const [, quoted, plain, end] = cell.exec(text) ?? [];
    if (end === undefined) throw new Error(`No cell at ${at}: ${text.slice(at, at + 50)}`);
    lines.at(-1)?.push(quoted?.replaceAll('""', '"') ?? plain ?? '');
    if (end === '\r\n') lines.push([]);
  }
  return lines.slice(0, -1);
}

/** What a column must show of a row. */
function textOf(row: Row, column: string): string {
  const value = column.split('.').reduce<unknown>((inner, key) => (inner as Row | null)?.[key], row);
  if (value === null || value === undefined) return '';
  if (typeof value === 'string') return /^[=+\-@\t\r]/.test(value) ? `'${value}` : value;
  return JSON.stringify(value);
}

/** The fields of a row that no column shows. */
const missingIn = (header: string[], row: Row) =>
  Object.keys(row).filter((key) => !header.some((column) => column === key || column.startsWith(`${key}.`)));

describe.each(names)('%s', (name) => {
  it('returns all rows as CSV and as JSON lines', async () => {
    for (const parts of requestsOf(name)) {
      const rows = await readPages(name, parts);
      const csv = await send(name, parts, 'text/csv');
      expect([csv.status, csv.headers.get('content-type')]).toEqual([200, 'text/csv; charset=utf-8']);
      expect(csv.headers.get('content-disposition')).toMatch(/^attachment; filename="\w+\.csv"$/);
      expect(csv.headers.get('link')).toBeNull();
      const [header = [], ...lines] = parseCsv(csv.text);
      expect(lines).toEqual(rows.map((row) => header.map((column) => textOf(row, column))));
      expect(rows.flatMap((row) => missingIn(header, row))).toEqual([]);
      const ndjson = await send(name, parts, 'application/x-ndjson');
      expect(ndjson.headers.get('content-type')).toBe('application/x-ndjson; charset=utf-8');
      const read = ndjson.text.split('\n').slice(0, -1);
      expect(read.map((line) => JSON.parse(line) as Row)).toEqual(rows);
    }
    const first = requestsOf(name)[0] ?? {};
    expect((await readPages(name, first)).length).toBeGreaterThan(0);
  });
});

const csvOf = (name: OperationName, query: Parts['query'] = {}, accept = 'text/csv') => send(name, { query }, accept);

describe('a list as JSON lines', () => {
  it('ends with an empty line if the client requests it', async () => {
    const plain = await send('listExperimentRows', {}, 'application/x-ndjson');
    const marked = await send('listExperimentRows', {}, 'application/json;q=0.5, application/x-ndjson; end=line');
    expect([plain, marked].map(({ headers }) => headers.get('content-type'))).toEqual([
      'application/x-ndjson; charset=utf-8',
      'application/x-ndjson; end=line; charset=utf-8',
    ]);
    expect(plain.text).toMatch(/[^\n]\n$/);
    expect(marked.text).toBe(`${plain.text}\n`);
    const csv = await send('listExperimentRows', { query: { columns: 'id' } }, 'text/csv;end=line');
    expect(csv.text).toMatch(/\d\r\n$/);
  });
});

describe('a list as CSV', () => {
  it('follows the pages of a list that is limited to pages, and stays a page with a limit', async () => {
    const all = parseCsv((await csvOf('listExperimentRows', { columns: 'id' })).text);
    expect(all.length).toBeGreaterThan(1001);
    const page = await csvOf('listExperimentRows', { columns: 'id', limit: 2, offset: 1 });
    expect(parseCsv(page.text)).toEqual([['id'], ...all.slice(2, 4)]);
    expect(page.headers.get('link')).toMatch(/columns=id.*after=\d+>; rel="next"$/);
  });

  it('has the requested columns in the requested order, also keys of objects with arbitrary keys', async () => {
    const { text } = await csvOf('listExperimentRows', { columns: 'cohort.label,id', limit: 1 });
    expect(parseCsv(text)).toEqual([
      ['cohort.label', 'id'],
      [`'${study.cohort.label}`, String(study.experiment.id)],
    ]);
    const columns = 'operation,after.state,after.nothing';
    const audit = await csvOf('listAudit', { columns, experiment_id: study.experiment.id });
    expect(parseCsv(audit.text)).toContainEqual(['setExperimentState', 'checked', '']);
  });

  it('rejects unknown columns and names the known ones', async () => {
    for (const columns of ['labl', 'label.x', 'cohort', '', 'id,,label', '__proto__', 'cohort.constructor']) {
      const { status, text } = await csvOf('listExperimentRows', { columns });
      const problem = JSON.parse(text) as {
        code: string;
        detail: string;
        errors: { pointer: string; detail: string }[];
      };
      expect([columns, status, problem.code]).toEqual([columns, 422, 'unknown_column']);
      expect(problem.detail).toContain('cohort.label, ');
      expect(problem.errors[0]?.pointer).toBe('?columns');
    }
    const { text } = await csvOf('listExperimentRows', { columns: 'labl' });
    expect(text).toContain('Did you mean \\"label\\"?');
  });

  it('is not sent to clients that prefer JSON, which do not know columns', async () => {
    for (const accept of ['application/json', '*/*', 'text/csv;q=0.5, application/json', 'text/csv;q=0']) {
      const { headers } = await csvOf('listCohorts', {}, accept);
      expect([accept, headers.get('content-type')]).toEqual([accept, 'application/json; charset=utf-8']);
      expect((await csvOf('listCohorts', { columns: 'id' }, accept)).status).toBe(400);
    }
    const { headers } = await csvOf('listCohorts', {}, 'text/html, text/csv;q=0.9, application/json;q=0.8');
    expect(headers.get('content-type')).toBe('text/csv; charset=utf-8');
  });

  it('rejects the same requests as JSON', async () => {
    expect((await csvOf('listExperimentRows', { limt: 1 })).status).toBe(400);
    expect((await csvOf('listExperimentRows', { cohort_id: 4_000_000_000 })).status).toBe(400);
    expect((await csvOf('listAudit', { operation: 'nothing' })).status).toBe(400);
    expect((await send('listNotes', { params: { id: 4_000_000_000 } }, 'text/csv')).status).toBe(404);
    expect((await send('listCohorts', {}, 'text/csv', 'nobody')).status).toBe(401);
  });

  it('of the audit log has the entries that match the filters of the page', async () => {
    const query = { object_kind: 'experiment', from: '2020-01-01T00:00:00Z' };
    const rows = await readPages('listAudit', { query });
    expect(rows.length).toBeGreaterThan(2);
    const [, ...lines] = parseCsv((await csvOf('listAudit', { ...query, columns: 'id,object.kind' })).text);
    expect(lines).toEqual(rows.map(({ id }) => [String(id), 'experiment']));
  });
});
