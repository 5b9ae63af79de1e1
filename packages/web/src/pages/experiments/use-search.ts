/** The query, the order and the columns of the page of experiments. They are in the URL, so that users can save and share them. */
import { useLocalStorage } from '@mantine/hooks';
import { useSearchParams } from 'react-router';
import { inPlace } from '../../filters/in-place.ts';
import { columnsByDefault } from './found-columns.tsx';
import { sortByDefault, type Sort } from './found-fields.ts';

export interface Search {
  q: string;
  sort: Sort;
  /** The ids of the shown columns, in their order. */
  columns: readonly string[];
}

export const searchParams = ({ q, sort, columns }: Partial<Search>): URLSearchParams => {
  const params = new URLSearchParams();
  if (q) params.set('q', q);
  if (sort !== undefined && sort !== sortByDefault) params.set('sort', sort);
  for (const column of columns ?? []) params.append('column', column);
  return params;
};

export function useSearch() {
  const [params, setParams] = useSearchParams();
  const [stored, setStored] = useLocalStorage<string[]>({
    key: 'milepost-columns-experiments',
    defaultValue: [...columnsByDefault],
    getInitialValueInEffect: false,
  });
  const given = params.getAll('column');
  const byDefault = Array.isArray(stored) ? stored : columnsByDefault;
  const search: Search = {
    q: params.get('q') ?? '',
    sort: (params.get('sort') as Sort | null) ?? sortByDefault,
    columns: given.length > 0 ? given : byDefault,
  };
  const view = Number(params.get('view') ?? 0);
  const set = (change: Partial<Search>) => {
    // The columns of a view are its own.
    if (change.columns && view === 0) setStored([...change.columns]);
    const after = searchParams({ ...search, columns: given, ...change });
    if (view > 0) after.set('view', String(view));
    setParams(after, inPlace);
  };
  return { search, set, view: view > 0 ? view : undefined };
}
