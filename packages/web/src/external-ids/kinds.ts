/** The objects that have IDs or URLs in external systems, and the operations that change them. */
import type { Client, OperationName } from '@milepost/api';
import { readVersion, type Version } from '../forms/save-changes.ts';

/** By the name of the external system. */
export type BySystem = Readonly<Record<string, string>>;

interface Kind {
  /** The name of a value: `external ID`. */
  noun: string;
  /** The field of the request. */
  field: 'external_id' | 'external_url';
  read: (id: number) => Promise<Version<BySystem>>;
  set: (to: Client, params: Params, text: string) => Promise<unknown>;
  remove: (to: Client, params: Params) => Promise<unknown>;
  shownBy: readonly OperationName[];
}

interface Params {
  id: number;
  system_name: string;
}

export const kinds = {
  subject: {
    noun: 'external ID',
    field: 'external_id',
    read: (id) => readVersion('getSubjectExternalIds', { params: { id } }, (body) => body.external_ids),
    set: (to, params, text) => to.setSubjectExternalId({ params, body: { external_id: text } }),
    remove: (to, params) => to.deleteSubjectExternalId({ params }),
    shownBy: ['getSubject'],
  },
  experiment: {
    noun: 'external ID',
    field: 'external_id',
    read: (id) => readVersion('getExperimentExternalIds', { params: { id } }, (body) => body.external_ids),
    set: (to, params, text) => to.setExperimentExternalId({ params, body: { external_id: text } }),
    remove: (to, params) => to.deleteExperimentExternalId({ params }),
    shownBy: ['getExperimentOverview'],
  },
  cohort: {
    noun: 'external URL',
    field: 'external_url',
    read: (id) => readVersion('getCohortExternalUrls', { params: { id } }, (body) => body.external_urls),
    set: (to, params, text) => to.setCohortExternalUrl({ params, body: { external_url: text } }),
    remove: (to, params) => to.deleteCohortExternalUrl({ params }),
    shownBy: ['getCohort'],
  },
} as const satisfies Record<string, Kind>;

/** An object with values in external systems. */
export interface Owner {
  kind: keyof typeof kinds;
  id: number;
  cohort: { id: number };
}
