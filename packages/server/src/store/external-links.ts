/** Links of subjects and of experiments to their ids in other systems, read one by one. Written by system-texts.ts. */
import { sql } from 'kysely';
import { notFound } from '../errors.ts';
import type { Database, Db } from '../database/connection.ts';
import { readList, type Page } from '../database/read-list.ts';
import { inOrderOfScope, inScope, type Scope } from './scope.ts';
import type { Links } from './system-texts.ts';

/** What lies in other tables is there only if it was asked for. */
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

export interface WantedOfLinks {
  ownerLabel: boolean;
  system: boolean;
}

/**
 * The two tables of links differ in the name of their owner's column only, so the types of one stand for both. Joined from the
 * left, although nothing is ever missing: rows that are only counted, to be skipped, are then not joined.
 */
function selectLinks(db: Db, scope: Scope, of: Links, wanted: WantedOfLinks) {
  const column = <T>(name: string) => sql.ref<T>(`${of.table}.${name}`);
  return db
    .selectFrom(of.table as 'external_experiment_links')
    .select([column<number>('id').as('id'), column<string>('external_id').as('external_id')])
    .select(column<number>('version').as('version'))
    .select([column<number>(of.owner).as('owner_id'), column<number>('external_system_id').as('external_system_id')])
    .where(inScope(scope, `${of.table}.cohort_id`))
    .$if(wanted.ownerLabel, (q) =>
      q
        .leftJoin(of.ownerTable as 'experiments', (join) =>
          join.on(sql<boolean>`${sql.ref(`${of.ownerTable}.id`)} = ${column(of.owner)}`),
        )
        .select(sql.ref<string>(`${of.ownerTable}.label`).as('owner_label')),
    )
    .$if(wanted.system, (q) =>
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

export const getLink = (db: Db, scope: Scope, of: Links, id: number, wanted: WantedOfLinks): Promise<LinkRow> =>
  selectLinks(db, scope, of, wanted)
    .where(sql.ref(`${of.table}.id`), '=', id)
    .executeTakeFirstOrThrow(() => notFound(`external link with the id ${id}`));

export const getLinkOfPair = (
  db: Db,
  scope: Scope,
  of: Links,
  pair: { ownerId: number; systemId: number },
  wanted: WantedOfLinks,
): Promise<LinkRow> =>
  selectLinks(db, scope, of, wanted)
    .where(sql.ref(`${of.table}.${of.owner}`), '=', pair.ownerId)
    .where(sql.ref(`${of.table}.external_system_id`), '=', pair.systemId)
    .executeTakeFirstOrThrow(() => notFound('external link of this pair'));

export const listLinks = (database: Database, scope: Scope, of: Links, wanted: WantedOfLinks, page: Page) =>
  readList(
    database,
    selectLinks(database.db, scope, of, wanted),
    { id: `${of.table}.id`, ...inOrderOfScope(scope, { cohort: `${of.table}.cohort_id`, id: `${of.table}.id` }) },
    page,
  );
