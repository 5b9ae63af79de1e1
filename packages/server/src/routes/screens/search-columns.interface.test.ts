/** The columns and the pages of a search. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { plainExperiments, searchedStudy, type PlainExperiment } from '../../../testing/queries/searched-study.ts';
import { startTestServer, type TestServer } from '../../../testing/server.ts';

let server: TestServer;
let all: PlainExperiment[];
beforeAll(async () => {
  server = await startTestServer({ rows: searchedStudy });
  all = await server.sql<PlainExperiment>(plainExperiments);
});
afterAll(() => server.stop());

const search = (query: Record<string, string | number>) => server.call('searchExperiments', { query });
const idsOf = (experiments: readonly { id: number }[]) => experiments.map(({ id }) => id);

describe('a search', () => {
  it('returns the named columns only, with their variables', async () => {
    const one = all.find(({ incidents }) => incidents.length > 0);
    const age = one?.variables['age'];
    const { body } = await search({ q: `id:${one?.id}`, columns: 'label,state.label,variables.age,incidents.kind' });
    expect(body.experiments).toEqual([
      {
        label: one?.label,
        state: { label: one?.state },
        variables: age === undefined ? {} : { age },
        incidents: one?.incidents.map((kind) => ({ kind })),
      },
    ]);
    const unknown = await search({ q: 'id:2', columns: 'label,stat.label' });
    expect(unknown).toMatchObject({ status: 422, body: { errors: [{ pointer: '?columns' }] } });
  });

  it('has the cursor of the next page until the last page', async () => {
    const first = (await search({ q: 'id:1..3', limit: 2 })).body;
    const last = (await search({ q: 'id:1..3', limit: 2, after: String(first.next) })).body;
    expect(idsOf([...first.experiments, ...last.experiments])).toEqual([1, 2, 3]);
    expect(last.next).toBeNull();
  });
});
