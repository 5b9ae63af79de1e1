/** The orders that a list of experiments tries. The server refuses an order in which it would read too many experiments. */
import { ProblemError } from '@milepost/api';
import { hasFieldError } from '../../api/problems.ts';
import { sortByDefault, type Sort } from './found-fields.ts';

/** The order of creation. It needs no lookup. */
const lastOrder: Sort = 'id';

/** A chosen order that is refused is an error. The default order is replaced, because no user chose it. */
export const ordersOf = (sort: Sort): readonly Sort[] => (sort === sortByDefault ? [sort, lastOrder] : [sort]);

/** For a list whose query users cannot change. */
export const allOrdersOf = (sort: Sort): readonly Sort[] => [...new Set([sort, sortByDefault, lastOrder])];

export const isOrderRefused = (error: unknown): boolean =>
  (error instanceof ProblemError && error.problem?.code === 'query_too_broad') || hasFieldError(error, '?sort');
