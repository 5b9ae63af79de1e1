/** Search for experiments with a query (docs/decisions/0042). */
import { queries, type experimentSearchOperations, type FoundExperiment, type searchSorts } from '@milepost/api';
import type { Static } from 'typebox';
import { invalid, Problem } from '../../errors.ts';
import type { Call, Handlers } from '../../http/call.ts';
import { present, within } from '../../http/field-mask.ts';
import { readFoundDetails } from '../../store/queries/found-rows.ts';
import { sorts, type Cursor, type SortName } from '../../store/queries/query-sorts.ts';
import { resolveQuery, type ResolvedQuery } from '../../store/queries/resolve-query.ts';
import { countFound } from '../../store/queries/count-found.ts';
import { findByQuery } from '../../store/queries/find-by-query.ts';
import type { Refusal } from '../../store/queries/search-request.ts';
import { faultOf } from './query-faults.ts';
import { readShownRows } from './experiment-rows.ts';

const defaultLimit = 50;

export const experimentSearchHandlers: Handlers<typeof experimentSearchOperations> = {
  async searchExperiments(call) {
    const {
      database: { db },
      account: { scope },
      query: { q = '', sort: order = 'id', limit = defaultLimit, after, columns },
      links,
      fields,
    } = call;
    const isDescending = order.startsWith('-');
    const sort = order.replace(/^-/, '') as (typeof searchSorts)[number];
    const query = await readText(call, q);
    const request = {
      query,
      sort,
      isDescending,
      limit,
      after: after === undefined ? undefined : readCursor(order, after),
    };
    const page = await findByQuery(db, scope, request);
    if ('refused' in page) throw tooBroad(page, sort);
    const ids = page.found.map(({ id }) => id);
    let counting: ReturnType<typeof countFound> | undefined;
    const counts = () => (counting ??= countFound(db, scope, query, page.candidates));
    const next = page.next ? writeCursor(order, page.next) : null;
    const isFirst = after === undefined;
    const body = await present(fields, {
      experiments: async () => readFound(call, ids, variablesOf(query, columns)),
      states: async () =>
        (isFirst ? (await counts()).states : []).map((row) => ({
          state: links.ref('states', { id: row.state_id, label: row.state_label }),
          workflow: links.ref('workflows', { id: row.workflow_id, label: row.workflow_label }),
          experiments: row.experiments,
        })),
      next,
      more: async () => isFirst && (await counts()).hasMore,
    });
    return { status: 200, body, next: () => next ?? undefined };
  },
};

export async function readText(
  { database, account }: Pick<Call, 'database' | 'account'>,
  text: string,
): Promise<ResolvedQuery> {
  const { terms, errors } = queries.readQuery(text);
  if (errors.length > 0) throw invalid(...errors.slice(0, mostFaults).map((error) => faultOf('?q', error)));
  const resolved = await resolveQuery(database.db, account, terms);
  if ('errors' in resolved) throw invalid(...resolved.errors.map((error) => faultOf('?q', error)));
  return resolved;
}

const mostFaults = 20;

const narrowing =
  'Add a term that finds few experiments, such as subject:, external.SYSTEM:, incident: or a longer word';

export function tooBroad({ refused, term }: Refusal, sort: SortName): Problem {
  if (refused === 'sort') {
    const walked = Object.entries(sorts).flatMap(([name, { walk }]) => (walk ? [name] : []));
    const detail = `Too many experiments match to sort them by ${sort}. ${narrowing}, or sort by ${walked.join(', ')}.`;
    return new Problem('query_too_broad', detail, { faults: [{ pointer: '?sort', detail }] });
  }
  const named = term ? `\`${queries.printTerm(term.term)}\` ` : 'The query ';
  const detail = `${named}would read too many experiments in this order. ${narrowing}, or sort by another column.`;
  const place = term ? { column: term.term.position + 1, length: term.term.length } : {};
  return new Problem('query_too_broad', detail, { faults: [{ pointer: '?q', detail, ...place }] });
}

/** The names of the variables in the query and in `columns`. */
const variablesOf = ({ terms }: ResolvedQuery, columns = ''): string[] => [
  ...terms.flatMap(({ condition }) => (condition.kind === 'variable' ? [condition.key] : [])),
  ...columns
    .split(',')
    .flatMap((column) => (column.startsWith(variablePrefix) ? [column.slice(variablePrefix.length)] : [])),
];

const variablePrefix = 'variables.';

/** A cursor has the key of the last experiment, so a page continues there even if that experiment has moved since. */
const writeCursor = (order: string, { key, id }: Cursor): string =>
  Buffer.from(JSON.stringify([order, key, id])).toString('base64url');

const validKeys = {
  bigint: /^\d{1,18}$/,
  timestamp: /^(-?infinity|\d{4}-\d\d-\d\d \d\d:\d\d:\d\d(\.\d{1,6})?)$/,
  text: /^[^\0]{0,500}$/su,
};

/** Whether the key has the form of the type, and a time exists. */
function isKey(type: keyof typeof validKeys, key: string): boolean {
  if (!validKeys[type].test(key)) return false;
  if (type !== 'timestamp' || key.endsWith('infinity')) return true;
  const time = new Date(`${key.slice(0, 19).replace(' ', 'T')}Z`);
  return !key.startsWith('0000') && time.toISOString().slice(0, 19) === key.slice(0, 19).replace(' ', 'T');
}

function readCursor(order: string, text: string): Cursor {
  try {
    const [of, key, id] = JSON.parse(Buffer.from(text, 'base64url').toString('utf8')) as [unknown, unknown, unknown];
    const { type } = sorts[order.replace(/^-/, '') as SortName];
    const isValid = of === order && typeof key === 'string' && key.isWellFormed() && isKey(type, key);
    if (isValid && Number.isSafeInteger(id)) return { key, id: id as number };
  } catch {
    // Rejected below.
  }
  throw invalid({
    pointer: '?after',
    detail: '?after is not a cursor for this sort order. Use the link to the next page.',
  });
}

async function readFound(
  { database: { db }, links, fields }: Pick<Call, 'database' | 'links' | 'fields'>,
  ids: readonly number[],
  variables: readonly string[],
): Promise<Static<typeof FoundExperiment>[]> {
  const rows = await readShownRows(db, links, ids, within(fields, 'experiments'));
  const details = await readFoundDetails(db, ids, variables);
  const detailsOf = new Map(details.map((row) => [row.id, row]));
  return rows.flatMap((row) => {
    const found = detailsOf.get(row.id);
    return found ? [{ ...row, ...found }] : [];
  });
}
