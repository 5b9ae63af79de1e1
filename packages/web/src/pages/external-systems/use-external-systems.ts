import { operationQuery, type BodyOf, type Touches } from '../../api/operation-query.ts';
import { usePages } from '../../table/use-pages.ts';

type Systems = BodyOf<'listExternalSystemRows'>;
export type SystemRow = Systems['external_systems'][number];

/** An import or a changed callback can use other systems. */
const touchesSystems: Touches = ({ object_kind }) =>
  object_kind === 'external_system' || ((object_kind === 'workflow' || object_kind === 'callback') && 'later');

const isNew = ({ url, check }: SystemRow) => url !== '' && check === null;

/** No event announces a check. That of a new URL follows within seconds. */
const refetchEvery = ({ state: { data } }: { state: { data: Systems | undefined } }) =>
  data?.external_systems.some(isNew) ? 5000 : 30_000;

export const useExternalSystems = () =>
  usePages({
    query: (after, limit) =>
      operationQuery(
        'listExternalSystemRows',
        { query: { limit, ...(after === undefined ? {} : { after }) } },
        touchesSystems,
      ),
    rowsOf: ({ external_systems }: Systems) => external_systems,
    filter: '',
    everyMilliseconds: refetchEvery,
  });
