/** The number of experiments in states and cohorts is known. The counts leave out withdrawn subjects and recent changes. */
import { sql, type RawBuilder } from 'kysely';
import type { Db } from '../../database/connection.ts';
import { awaitsDecision } from './match-query.ts';
import type { Source } from './query-sources.ts';
import type { ResolvedQuery } from './resolve-query.ts';
import { isDeciding, type Sizes } from './walks.ts';

export interface SizedSource extends Source {
  /** Undefined if it is not known. */
  size: number | undefined;
}

const sum = (counted: RawBuilder<unknown>) => sql`coalesce(sum(state_counts.experiments) filter (where ${counted}), 0)`;
const deciding = sql`array(select states.id from states where ${awaitsDecision})`;

export async function readSizes(
  db: Db,
  query: ResolvedQuery,
  sources: readonly Source[],
): Promise<{ sources: SizedSource[]; sizes: Sizes }> {
  const sums = sources.map(({ counted }) => (counted ? sum(counted) : sql`-1`));
  const states = isDeciding(query) ? deciding : sql`'{}'::bigint[]`;
  const { rows } = await sql<{ sizes: number[]; deciding: number[]; in_deciding: number }>`
    select array[${sql.join(sums)}]::bigint[] as sizes, ${states} as deciding,
      ${sum(sql`state_counts.state_id = any(${states})`)}::bigint as in_deciding from state_counts`.execute(db);
  const [read] = rows;
  const sized = sources.map((source, place) => {
    const size = Number(read?.sizes[place]);
    return { ...source, size: size < 0 ? undefined : size };
  });
  const inDeciding = isDeciding(query) ? Number(read?.in_deciding) : Infinity;
  return {
    sources: sized,
    sizes: {
      state: Math.min(smallest(sized, 'state'), inDeciding),
      cohort: smallest(sized, 'cohort', undefined),
      deciding: read?.deciding.map(Number) ?? [],
    },
  };
}

/** Of the terms with these names. The scope has none. */
const smallest = (sources: readonly SizedSource[], ...names: (string | undefined)[]) =>
  Math.min(
    ...sources.flatMap(({ term, size }) => {
      const name = term && 'name' in term.condition ? term.condition.name : undefined;
      return size !== undefined && names.includes(name) ? [size] : [];
    }),
  );
