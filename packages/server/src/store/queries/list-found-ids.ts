/** All experiments of a query at one moment, for changes. It may take long, so it is not for a page. */
import { sql } from 'kysely';
import { allowLongStatements, type Tx } from '../../database/connection.ts';
import { inScope, type Scope } from '../scope.ts';
import { matchesQuery } from './match-query.ts';
import { sourcesOf } from './query-sources.ts';
import type { ResolvedQuery } from './resolve-query.ts';

/** In ascending order. A term that finds few experiments narrows them first. */
export async function listFoundIds(tx: Tx, scope: Scope, query: ResolvedQuery, limit: number): Promise<number[]> {
  await allowLongStatements(tx);
  const source = sourcesOf(scope, query).find(({ counted }) => !counted);
  const narrowed = source ? sql`experiments.id in (select one.id from (${source.ids}) as one)` : sql`true`;
  const { rows } = await sql<{ id: number }>`
    select experiments.id from experiments
    where ${narrowed} and ${inScope(scope, 'experiments.cohort_id')} and ${matchesQuery(query)}
    order by experiments.id limit ${limit}`.execute(tx);
  return rows.map(({ id }) => id);
}
