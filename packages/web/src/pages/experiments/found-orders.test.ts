import { ProblemError } from '@milepost/api';
import { describe, expect, it } from 'vitest';
import { allOrdersOf, isOrderRefused, ordersOf } from './found-orders.ts';

const problem = (status: number, code: string, pointer: string) =>
  new ProblemError(
    { status, statusText: 'Error', headers: new Headers() },
    { title: 'Error', detail: 'Error', code, errors: [{ pointer, detail: 'Error' }], request_id: 'r-1' },
  );

describe('the orders of found experiments', () => {
  it('replace the default order, but no chosen one', () => {
    expect(ordersOf('label')).toEqual(['label', 'id']);
    expect(ordersOf('-label')).toEqual(['-label']);
  });

  it('end with the order of creation in a list whose query is fixed', () => {
    expect(allOrdersOf('label')).toEqual(['label', 'id']);
    expect(allOrdersOf('-state')).toEqual(['-state', 'label', 'id']);
    expect(allOrdersOf('id')).toEqual(['id', 'label']);
  });

  it('are refused if the query is too broad or the order is invalid', () => {
    expect(isOrderRefused(problem(422, 'query_too_broad', '?sort'))).toBe(true);
    expect(isOrderRefused(problem(422, 'query_too_broad', '?q'))).toBe(true);
    expect(isOrderRefused(problem(400, 'invalid', '?sort'))).toBe(true);
    expect(isOrderRefused(problem(400, 'invalid', '?q'))).toBe(false);
    expect(isOrderRefused(null)).toBe(false);
  });
});
