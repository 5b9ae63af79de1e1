/**
 * Lists as CSV or as JSON lines (docs/reference/api-conventions.md). The rows are those of the JSON list with the same filters. A
 * list that is limited to pages is read page by page, unless the request has a limit. Only one page or batch is in memory.
 */
import {
  asJsonSchema,
  columnsOf,
  findColumn,
  listedRows,
  suggestion,
  type Column,
  type ListedRows,
  type Operation,
} from '@milepost/api';
import { Rows } from '../database/rows.ts';
import { Problem } from '../errors.ts';
import type { Answer, AnyHandler, Call } from './call.ts';
import { cellOf, csvLine } from './csv.ts';
import { everything, prune, type Fields } from './field-mask.ts';
import { Lines } from './lines-download.ts';

const mediaTypes = { csv: 'text/csv', ndjson: 'application/x-ndjson' } as const;
/** Tells the client that the empty line follows. An older server does not send it. */
const withEndLine = `${mediaTypes.ndjson}; end=line` as const;
type Format = keyof typeof mediaTypes;
type Query = Record<string, unknown>;

/** A request for a list in another format than JSON. */
export interface ListExport {
  key: string;
  format: Format;
  /** Empty for JSON lines. */
  columns: readonly Column[];
  /** Without `columns`, unless the operation has this parameter, and with the limit of a page if all pages are read. */
  query: Query;
  /** The mask of the columns, so that nothing else is read. */
  fields: Fields | undefined;
  /** Whether all pages are read. */
  followsPages: boolean;
  /** Whether an empty line follows the rows, so that a client notices that the response was cut. */
  hasEndLine: boolean;
}

/** Returns a function that reads the header Accept and the query of a request. It returns undefined if the response is JSON. */
export function exportReader(
  operation: Operation,
): (accept: string | undefined, query: unknown) => ListExport | undefined {
  const list = listedRows(operation);
  if (list === undefined) return () => undefined;
  const { key, pageSize } = list;
  const all = columnsOf(list.row);
  const hasColumns = takesColumns(operation);
  return (accept, raw) => {
    const accepted = acceptedFormat(accept);
    if (accepted === undefined) return undefined;
    const { format, hasEndLine } = accepted;
    const { columns: named, ...others } = raw as Query;
    const columns = format !== 'csv' ? [] : named === undefined ? all : readColumns(list, named);
    const given = format === 'csv' && !hasColumns ? others : (raw as Query);
    const followsPages = pageSize !== undefined && given['limit'] === undefined;
    const query = followsPages ? { ...given, limit: String(pageSize) } : given;
    return { key, format, columns, query, fields: fieldsOf(key, columns), followsPages, hasEndLine };
  };
}

/** Whether the list has `columns` also for JSON. */
const takesColumns = ({ query }: Operation): boolean =>
  query !== undefined && Object.hasOwn(asJsonSchema(query).properties ?? {}, 'columns');

/** Returns a function that reads `columns` as the mask of a JSON list that has this parameter. */
export function columnsReader(operation: Operation): (query: unknown) => Fields | undefined {
  const list = takesColumns(operation) ? listedRows(operation) : undefined;
  return (query) => {
    const { columns } = query as Query;
    // A repeated parameter is an array. The request is rejected for it later.
    if (list === undefined || typeof columns !== 'string') return undefined;
    const rows = maskOf(readColumns(list, columns).map(({ path }) => path));
    return { named: new Map([[list.key, rows]]), rest: true };
  };
}

const fieldsOf = (key: string, columns: readonly Column[]): Fields | undefined =>
  columns.length === 0 ? undefined : maskOf(columns.map(({ path }) => [key, ...path]));

function maskOf(paths: readonly (readonly string[])[]): Fields {
  if (paths.some((path) => path.length === 0)) return everything;
  const byName = Map.groupBy(paths, ([name = '']) => name);
  return {
    named: new Map([...byName].map(([name, inner]) => [name, maskOf(inner.map((path) => path.slice(1)))])),
    rest: false,
  };
}

/** The format that the client prefers, if it prefers one to JSON. */
function acceptedFormat(accept = ''): Pick<ListExport, 'format' | 'hasEndLine'> | undefined {
  const ranges = accept.split(',').map((range) => {
    const [type = '', ...parameters] = range.split(';').map((part) => part.trim().toLowerCase());
    const quality = parameters.find((parameter) => parameter.startsWith('q='))?.slice(2);
    return { type, quality: quality === undefined ? 1 : Number(quality), hasEndLine: parameters.includes('end=line') };
  });
  const rangeOf = (type: string) => ranges.find((range) => range.type === type);
  const qualityOf = (type: string) => rangeOf(type)?.quality ?? 0;
  const best = Math.max(qualityOf(mediaTypes.csv), qualityOf(mediaTypes.ndjson));
  if (!(best > qualityOf('application/json'))) return undefined;
  if (qualityOf(mediaTypes.csv) === best) return { format: 'csv', hasEndLine: false };
  return { format: 'ndjson', hasEndLine: rangeOf(mediaTypes.ndjson)?.hasEndLine ?? false };
}

function readColumns({ row }: ListedRows, named: unknown): Column[] {
  const names = String(named).split(',');
  const found = names.map((name) => findColumn(row, name));
  const unknown = names.filter((_, index) => found[index] === undefined);
  if (unknown.length > 0) throw unknownColumns(unknown, columnsOf(row));
  return found.filter((column) => column !== undefined);
}

const unknownColumns = (names: readonly string[], all: readonly Column[]) => {
  const known = all.map(({ name }) => name);
  return new Problem('unknown_column', `Unknown columns. Known columns: ${known.join(', ')}.`, {
    faults: names.slice(0, 20).map((name) => ({
      pointer: '?columns',
      detail: `No column "${name.slice(0, 100)}". ${suggestion(name, known)}`,
    })),
  });
};

/** The first page, and the call that read it. */
interface FirstPage {
  answer: Answer<unknown>;
  call: Call;
  handler: AnyHandler;
}

export function exportList(exported: ListExport, first: FirstPage): Answer<Lines> {
  const { key, format, followsPages, hasEndLine } = exported;
  const { next, ...answer } = first.answer;
  return {
    ...answer,
    ...(next && !followsPages && { next }),
    body: new Lines(`${key}.${format}`, hasEndLine ? withEndLine : mediaTypes[format], linesOf(exported, first)),
  };
}

async function* linesOf(exported: ListExport, { answer, call, handler }: FirstPage): AsyncGenerator<string, void> {
  const { key, format, columns, followsPages, hasEndLine } = exported;
  if (format === 'csv') yield csvLine(columns.map(({ name }) => name));
  const toLine = lineOf(exported, call.fields);
  for (let page = answer; ;) {
    yield* linesIn(page, key, toLine);
    const next = followsPages ? page.next?.() : undefined;
    if (next === undefined) break;
    if (typeof handler !== 'function') throw new Error('The handler of a list cannot have two phases.');
    const { offset: _offset, ...query } = call.query;
    page = await handler({ ...call, query: { ...query, [page.nextBy ?? 'after']: next } });
  }
  if (hasEndLine) yield '\n';
}

const lineOf = ({ key, format, columns }: ListExport, fields: Fields): ((row: unknown) => string) => {
  if (format === 'csv') return (row) => csvLine(columns.map(({ path }) => cellOf(row, path)));
  const inRow = fields.named.get(key) ?? (fields.rest ? everything : { named: new Map(), rest: false });
  return (row) => `${JSON.stringify(prune(inRow, row))}\n`;
};

async function* linesIn({ body }: Answer<unknown>, key: string, toLine: (row: unknown) => string) {
  const rows = (body as Record<string, Rows<unknown> | unknown[]>)[key] ?? [];
  if (rows instanceof Rows) yield* rows.joined(toLine, '');
  else yield rows.map((row) => toLine(row)).join('');
}
