/** Reads the links of subjects and experiments to external systems. external-values.ts writes them. */
import { sql, type RawBuilder } from 'kysely';
import { notFound } from '../../errors.ts';
import type { Database, Db } from '../../database/connection.ts';
import { readList, type Page } from '../../database/read-list.ts';
import { inScope, inScopeOfList, orderByScope, type Scope } from '../scope.ts';
import type { Links } from './external-values.ts';

/** Fields of other tables are only present if they were requested. */
export interface LinkRow {
  id: number;
  external_id: string;
  owner_id: number;
  owner_label?: string;
  external_system_id: number;
  version: number;
  system_name?: string;
  url?: string;
}

export interface LinkFields {
  ownerLabel: boolean;
  system: boolean;
}

/**
 * The two link tables only differ in the name of the owner column, so the types of one serve for both. The joins are left joins,
 * although no row is missing, so that PostgreSQL omits them for skipped rows.
 */
function selectLinks(db: Db, visible: RawBuilder<boolean>, of: Links, fields: LinkFields) {
  const column = <T>(name: string) => sql.ref<T>(`${of.table}.${name}`);
  return db
    .selectFrom(of.table as 'external_experiment_links')
    .select([column<number>('id').as('id'), column<string>('external_id').as('external_id')])
    .select(column<number>('version').as('version'))
    .select([column<number>(of.owner).as('owner_id'), column<number>('external_system_id').as('external_system_id')])
    .where(visible)
    .$if(fields.ownerLabel, (q) =>
      q
        .leftJoin(of.ownerTable as 'experiments', (join) =>
          join.on(sql<boolean>`${sql.ref(`${of.ownerTable}.id`)} = ${column(of.owner)}`),
        )
        .select(sql.ref<string>(`${of.ownerTable}.label`).as('owner_label')),
    )
    .$if(fields.system, (q) =>
      q
        .leftJoin('external_systems', (join) =>
          join.on(sql<boolean>`external_systems.id = ${column('external_system_id')}`),
        )
        .select([
          sql.ref<string>('external_systems.system_name').as('system_name'),
          sql.ref<string>('external_systems.url').as('url'),
        ]),
    );
}

export const getLink = (db: Db, scope: Scope, of: Links, id: number, fields: LinkFields): Promise<LinkRow> =>
  selectLinks(db, inScope(scope, `${of.table}.cohort_id`), of, fields)
    .where(sql.ref(`${of.table}.id`), '=', id)
    .executeTakeFirstOrThrow(() => notFound(`external link with id ${id}`));

export const getLinkByPair = (
  db: Db,
  scope: Scope,
  of: Links,
  pair: { ownerId: number; systemId: number },
  fields: LinkFields,
): Promise<LinkRow> =>
  selectLinks(db, inScope(scope, `${of.table}.cohort_id`), of, fields)
    .where(sql.ref(`${of.table}.${of.owner}`), '=', pair.ownerId)
    .where(sql.ref(`${of.table}.external_system_id`), '=', pair.systemId)
    .executeTakeFirstOrThrow(() => notFound('external link to this external system'));

export function listLinks(database: Database, scope: Scope, of: Links, fields: LinkFields, page: Page) {
  const [cohort, id] = [`${of.table}.cohort_id`, `${of.table}.id`];
  const order = orderByScope(scope, { cohort, id });
  const links = selectLinks(database.db, inScopeOfList(scope, cohort, order), of, fields);
  return readList(database, links, { id, ...order }, page);
}
