/** The users who can take care of experiments of a cohort. */
import { noEvents, operationQuery } from '../api/operation-query.ts';

export const assigneesQuery = (cohortId: number, q: string) =>
  operationQuery('getAssignees', { params: { id: cohortId }, query: q === '' ? {} : { q } }, noEvents);

/** The server returns at most this many. Others are found by the beginning of their name. */
export const mostUsers = 100;
