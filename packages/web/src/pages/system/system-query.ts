import { noEvents, operationQuery, type BodyOf } from '../../api/operation-query.ts';

export type SystemStatus = BodyOf<'getSystem'>;

/** No event announces a heartbeat. */
export const systemQuery = {
  ...operationQuery('getSystem', {}, noEvents),
  staleTime: 0,
  refetchInterval: 5000,
};
