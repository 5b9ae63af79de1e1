/** The experiments of a bulk operation, and the reasons for which they are refused. */
import type { BulkResult } from '@milepost/api';
import { sql } from 'kysely';
import { cutText } from '../../cut-text.ts';
import type { Db, Tx } from '../../database/connection.ts';
import type { Caller } from '../people/caller.ts';
import { inScope } from '../scope.ts';
import type { ScreenPage } from '../screens/screen-page.ts';

export interface Refused {
  code: string;
  detail: string;
}

export interface CheckedItem {
  experimentId: number;
  /** Null if the experiment was not found. */
  cohortId: number | null;
  version: number | null;
  refused: Refused | undefined;
}

/** A condition can be longer than the column. */
const shortDetail = ({ detail }: Refused) => cutText(detail, 2000, (text) => Buffer.byteLength(text));
const keyOf = (refused: Refused) => `${refused.code}\n${shortDetail(refused)}`;

/** Counts the reasons, and returns their numbers. The caller has locked the operation. */
async function countRefusals(tx: Tx, operationId: number, refused: readonly Refused[]): Promise<Map<string, number>> {
  const groups = [...Map.groupBy(refused, keyOf).values()];
  if (groups.length === 0) return new Map();
  const [codes, details, counts] = [
    groups.map(([first]) => first?.code ?? ''),
    groups.map(([first]) => (first ? shortDetail(first) : '')),
    groups.map((group) => group.length),
  ];
  const { rows } = await sql<Refused & { number: number }>`
    with known as (
      select coalesce(max(number), 0) as number from bulk_refusals where operation_id = ${operationId})
    insert into bulk_refusals (operation_id, number, code, detail, experiments)
    select ${operationId}::bigint, known.number + given.place, given.code, given.detail, given.experiments
    from known, unnest(${codes}::text[], ${details}::text[], ${counts}::integer[]) with ordinality
      as given (code, detail, experiments, place)
    on conflict on constraint bulk_refusals_reason_unique
      do update set experiments = bulk_refusals.experiments + excluded.experiments
    returning number, code, detail`.execute(tx);
  return new Map(rows.map((row) => [keyOf(row), row.number]));
}

/** Adds items after those that the operation has. The caller has locked the operation. */
export async function insertItems(
  tx: Tx,
  { id, experiments }: { id: number; experiments: number },
  items: readonly CheckedItem[],
): Promise<void> {
  if (items.length === 0) return;
  const numbers = await countRefusals(
    tx,
    id,
    items.flatMap(({ refused }) => refused ?? []),
  );
  const refusals = items.map(({ refused }) => (refused ? (numbers.get(keyOf(refused)) ?? null) : null));
  await sql`
    insert into bulk_items (operation_id, number, experiment_id, cohort_id, checked_version, refusal, result)
    select ${id}::bigint, ${experiments}::integer + given.place, given.experiment_id, given.cohort_id, given.version,
      given.refusal, case when given.refusal is null then 'ready' else 'refused' end
    from unnest(${items.map(({ experimentId }) => experimentId)}::bigint[], ${items.map(({ cohortId }) => cohortId)}::bigint[],
        ${items.map(({ version }) => version)}::bigint[], ${refusals}::integer[]) with ordinality
      as given (experiment_id, cohort_id, version, refusal, place)`.execute(tx);
}

export interface ReadyItem {
  number: number;
  experiment_id: number;
  cohort_id: number;
  version: number;
}

/** In their order. The caller has locked the operation. */
export async function listReadyItems(
  tx: Tx,
  { operationId, after, limit }: { operationId: number; after: number; limit: number },
): Promise<ReadyItem[]> {
  const { rows } = await sql<ReadyItem>`
    select number, experiment_id, cohort_id, checked_version as version from bulk_items
    where operation_id = ${operationId} and result = 'ready' and number > ${after}
    order by number limit ${limit}`.execute(tx);
  return rows;
}

/** The caller has locked the operation. */
export async function saveResults(
  tx: Tx,
  operationId: number,
  results: readonly { number: number; refused: Refused | undefined }[],
): Promise<void> {
  if (results.length === 0) return;
  const numbers = await countRefusals(
    tx,
    operationId,
    results.flatMap(({ refused }) => refused ?? []),
  );
  const refusals = results.map(({ refused }) => (refused ? (numbers.get(keyOf(refused)) ?? null) : null));
  await sql`
    update bulk_items set refusal = given.refusal, result = case when given.refusal is null then 'done' else 'refused' end
    from unnest(${results.map(({ number }) => number)}::integer[], ${refusals}::integer[]) as given (number, refusal)
    where bulk_items.operation_id = ${operationId} and bulk_items.number = given.number`.execute(tx);
}

export interface RefusalRow extends Refused {
  operation_id: number;
  number: number;
  experiments: number;
}

/** The most frequent first, at most `limit` of each operation. */
export async function listRefusals(db: Db, operationIds: readonly number[], limit: number): Promise<RefusalRow[]> {
  if (operationIds.length === 0) return [];
  const { rows } = await sql<RefusalRow>`
    select refusals.* from unnest(${[...operationIds]}::bigint[]) as operation (id) cross join lateral (
      select operation_id, number, code, detail, experiments from bulk_refusals
      where operation_id = operation.id order by experiments desc, number limit ${limit}) as refusals`.execute(db);
  return rows;
}

export interface ItemRow {
  number: number;
  experiment_id: number;
  /** Null if it does not exist. */
  label: string | null;
  result: BulkResult;
  code: string | null;
  detail: string | null;
}

export interface ItemFilter extends ScreenPage {
  result?: BulkResult | undefined;
  refusal?: number | undefined;
}

/** Those that the caller can read. Ids that were not found are shown to the author only. */
export async function listItems(
  db: Db,
  caller: Caller,
  operation: { id: number; author_id: number },
  { result, refusal, after, offset, limit }: ItemFilter,
): Promise<ItemRow[]> {
  const isAuthor = sql.lit(operation.author_id === caller.id);
  const chosen = [
    sql`bulk_items.operation_id = ${operation.id} and bulk_items.number > ${after}`,
    refusal === undefined ? sql`true` : sql`bulk_items.refusal = ${refusal}`,
    result === undefined ? sql`true` : sql`bulk_items.result = ${sql.lit(result)}`,
  ];
  const { rows } = await sql<ItemRow>`
    select bulk_items.number, bulk_items.experiment_id, bulk_items.result, experiments.label, bulk_refusals.code, bulk_refusals.detail
    from bulk_items
    left join experiments on experiments.id = bulk_items.experiment_id and ${inScope(caller.scope, 'experiments.cohort_id')}
    left join bulk_refusals on bulk_refusals.operation_id = bulk_items.operation_id and bulk_refusals.number = bulk_items.refusal
    where ${sql.join(chosen, sql` and `)} and (experiments.id is not null or bulk_items.cohort_id is null and ${isAuthor})
    order by bulk_items.number limit ${limit} offset ${offset}`.execute(db);
  return rows;
}

/** The experiments that another operation refused, after an item. */
export async function listRefusedIds(
  db: Db,
  { operationId, after, limit }: { operationId: number; after: number; limit: number },
): Promise<{ number: number; experiment_id: number }[]> {
  const { rows } = await sql<{ number: number; experiment_id: number }>`
    select number, experiment_id from bulk_items
    where operation_id = ${operationId} and number > ${after} and result = 'refused' order by number limit ${limit}`.execute(
    db,
  );
  return rows;
}

/** The ids that a query found. */
export const saveGivenIds = (tx: Tx, operationId: number, ids: readonly number[]) =>
  sql`update bulk_operations set experiment_ids = ${[...ids]}::bigint[] where id = ${operationId}`.execute(tx);

/** The given ids after a place. */
export async function listGivenIds(
  db: Db,
  { operationId, after, limit }: { operationId: number; after: number; limit: number },
): Promise<number[]> {
  const { rows } = await sql<{ ids: number[] }>`
    select experiment_ids[${after}::integer + 1 : ${after + limit}::integer] as ids
    from bulk_operations where id = ${operationId}`.execute(db);
  return rows[0]?.ids ?? [];
}
