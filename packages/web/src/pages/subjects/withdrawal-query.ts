import { operationQuery } from '../../api/operation-query.ts';

export const withdrawalQuery = (id: number) =>
  operationQuery(
    'getWithdrawal',
    { params: { id } },
    ({ object_kind, object_id }) => object_kind === 'subject' && object_id === id,
  );
