/**
 * What a search may read (docs/decisions/0042). A first page reads at most 10,000 rows and 2,000 buffers with a million experiments, or the
 * query is refused. Reading the 50 rows of a page takes about 1,150 buffers, so that finding them is left with the rest.
 */
import { maxFoundCount } from '@milepost/api';
import type { ResolvedTerm } from './resolve-query.ts';

export interface SearchLimits {
  /** Buffers for finding the experiments of a page. */
  buffers: number;
  /** Rows for finding them. Few of these are lookups, most are read from an index in its order. */
  rows: number;
  /** A caller who can read at most this many experiments can send every query, at any cost. */
  all: number;
  /** The most experiments that are read to count them. */
  counted: number;
}

export const searchLimits: SearchLimits = { buffers: 800, rows: 8500, all: 10_000, counted: maxFoundCount };

/** Buffers to find a row by its key in a table of a million: three of the index, one of the table. */
export const buffersOfLookup = 4;

/** Neighbours in the order of ids share pages of the index and of the table. */
const [idsOfIndexPage, idsOfTablePage] = [300, 30];

/** Buffers to read the experiments with these ids, in ascending order. */
export function buffersOf(ids: readonly number[]): number {
  let buffers = 0;
  let last = -Infinity;
  for (const id of ids) {
    if (id - last > idsOfIndexPage) buffers += buffersOfLookup;
    else if (id - last > idsOfTablePage) buffers += 1;
    last = id;
  }
  return buffers;
}

/** Of an experiment with ten actions: each of them, and for runs also the runs of each. */
const [buffersOfMoves, buffersOfRuns] = [16, 60];

/** Buffers of other large tables that are read to check this term for an experiment. */
export function buffersOfTerm({ condition }: ResolvedTerm): number {
  if (condition.kind === 'moves') return buffersOfMoves;
  if (condition.kind === 'runs') return buffersOfRuns;
  const isOfExperiment =
    condition.kind === 'ids' ||
    ('name' in condition && ['state', 'workflow', 'cohort', 'label', 'scanned', 'decision'].includes(condition.name));
  return isOfExperiment ? 0 : buffersOfLookup;
}

export const buffersOfTerms = (terms: readonly ResolvedTerm[]): number =>
  terms.reduce((sum, term) => sum + buffersOfTerm(term), 0);
