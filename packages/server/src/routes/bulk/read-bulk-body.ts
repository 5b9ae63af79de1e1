/** The fields of a new bulk operation that belong to its kind. */
import type { BulkKind, bulkOperationOperations, Fault } from '@milepost/api';
import { invalid } from '../../errors.ts';
import type { Call } from '../../http/call.ts';
import type { BulkChange, BulkSource } from '../../store/bulk/bulk-operations.ts';

export type NewBody = Call<(typeof bulkOperationOperations)['createBulkOperation']>['body'];

type Field = keyof BulkChange;
const fields: Record<BulkKind, { needed: readonly Field[]; possible: readonly Field[] }> = {
  move: { needed: ['state'], possible: ['state'] },
  retry: { needed: [], possible: [] },
  evaluate: { needed: [], possible: [] },
  place: { needed: ['state'], possible: ['state', 'run_callbacks'] },
  set_variables: { needed: ['variables'], possible: ['variables'] },
  assign: { needed: ['user_id'], possible: ['user_id'] },
  note: { needed: ['text'], possible: ['text'] },
};
const allFields: readonly Field[] = ['state', 'run_callbacks', 'variables', 'user_id', 'text'];

export function readBulkChange(body: NewBody): BulkChange {
  const { needed, possible } = fields[body.kind];
  const given = allFields.filter((name) => body[name] !== undefined);
  const faults = [
    ...needed.filter((name) => !given.includes(name)).map((name) => fault(name, `is required for ${body.kind}.`)),
    ...given.filter((name) => !possible.includes(name)).map((name) => fault(name, `does not apply to ${body.kind}.`)),
    ...(body.reason === undefined && body.dry_run !== true ? [fault('reason', 'is required without dry_run.')] : []),
  ];
  if (faults.length > 0) throw invalid(...faults);
  return Object.fromEntries(given.map((name) => [name, body[name]]));
}

const fault = (name: string, detail: string): Fault => ({ pointer: `/${name}`, detail: `/${name} ${detail}` });

/** Exactly one source is given. */
export function readSource({ query, experiment_ids, refused_of }: NewBody): BulkSource {
  const given = [query, experiment_ids, refused_of].filter((source) => source !== undefined);
  if (given.length !== 1) {
    const detail = 'Send one of /query, /experiment_ids and /refused_of.';
    throw invalid({ pointer: given.length === 0 ? '/query' : '/experiment_ids', detail });
  }
  return {
    query: query ?? null,
    experiment_ids: experiment_ids ? [...new Set(experiment_ids)] : null,
    refused_of: refused_of ?? null,
  };
}
