/** A request about a study, and whether its response shows the mark of the study. */
import type { OperationName } from '@milepost/api';
import type { Parts } from '../server.ts';

export interface StudyRequest {
  parts: Parts;
  /** Whether the response must contain the mark of the study for users with access. */
  shows: boolean;
  /** Whether a filter names an object of the study. To users without access, this is an unknown object. */
  names?: true;
}

export type Requests = Partial<Record<OperationName, StudyRequest[]>>;

export const shows = (parts: Parts): StudyRequest => ({ parts, shows: true });
/** For responses without the mark, such as counts, small pages and shared data. */
export const unmarked = (parts: Parts): StudyRequest => ({ parts, shows: false });
export const names = (query: NonNullable<Parts['query']>, shown = true): StudyRequest => ({
  parts: { query },
  shows: shown,
  names: true,
});
export const list = (query: Parts['query'] = {}): StudyRequest[] => [
  shows({ query }),
  shows({ query: { ...query, limit: 5000 } }),
  unmarked({ query: { ...query, limit: 1 } }),
  unmarked({ query: { ...query, limit: 1, offset: 1 } }),
];
