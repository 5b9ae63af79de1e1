/** Links to the experiments that match a query. */
import { queries } from '@milepost/api';
import { paths } from '../paths.ts';

type Filters = Partial<Record<queries.QueryName, string>>;

/** The query with one value for each of these names. */
export const queryOf = (filters: Filters): string =>
  Object.entries(filters)
    .map(([name, text]) => `${name}:${queries.printValue({ text, quoted: false })}`)
    .join(' ');

export const experimentsWith = (filters: Filters): string =>
  `${paths.experiments}?${new URLSearchParams({ q: queryOf(filters) }).toString()}`;
