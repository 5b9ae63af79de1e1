/**
 * The four operations on the external ids of a resource. Subjects and experiments have the same four, and the
 * external links are another view of the same table.
 */
import type { Static, TObject } from 'typebox';
import { needs, signedIn } from './permission.ts';
import * as v from './values.ts';

interface Owner<S extends TObject> {
  name: 'subject' | 'experiment';
  response: S;
  example: Static<S> & { external_ids: Record<string, string> };
}

const addTo = <S extends TObject>({ name, response, example }: Owner<S>) =>
  ({
    method: 'POST',
    path: `/${name}s/{id}/external_ids`,
    summary: `Add ids of this ${name} in other systems`,
    description:
      'Adds and replaces the named systems and keeps the others: all of them or, if one is refused, none. ' +
      '`external_ids` is an object, or the same object as JSON text.',
    access: needs('sample_update'),
    version: 'held',
    params: v.ById,
    body: v.closed({ external_ids: v.objectOrText(v.idBySystem) }),
    response,
    statuses: {
      200: 'Every named system had an id before; they were replaced.',
      201: 'At least one id is new.',
      404: `No ${name} has this id, or no external system has one of the names.`,
      409: 'The subject was erased.',
    },
    example: { body: { external_ids: example.external_ids }, response: example },
  }) as const;

const readFrom = <S extends TObject>({ name, response, example }: Owner<S>) =>
  ({
    method: 'GET',
    path: `/${name}s/{id}/external_ids`,
    summary: `Read the ids of this ${name} in other systems`,
    description: `One id for each external system that knows the ${name}.`,
    access: signedIn,
    version: 'shown',
    params: v.ById,
    response,
    statuses: { 200: 'The external ids.', 404: `No ${name} has this id.` },
    example: { response: example },
  }) as const;

const setOn = <S extends TObject>({ name, response, example }: Owner<S>) =>
  ({
    method: 'PUT',
    path: `/${name}s/{id}/external_ids/{system_name}`,
    summary: `Set the id of this ${name} in one system`,
    description:
      'Creates or replaces that one external id. A replaced one keeps its external link and the link its id.',
    access: needs('sample_update'),
    version: 'held',
    params: v.ByIdAndSystem,
    body: v.closed({ external_id: v.ExternalId }),
    response,
    statuses: {
      200: 'The external id was replaced.',
      201: 'The external id is new.',
      404: `No ${name} has this id, or no external system has this name.`,
      409: 'The subject was erased.',
    },
    example: { body: { external_id: Object.values(example.external_ids)[0] }, response: example },
  }) as const;

const deleteFrom = <S extends TObject>({ name, response, example }: Owner<S>) =>
  ({
    method: 'DELETE',
    path: `/${name}s/{id}/external_ids/{system_name}`,
    summary: `Remove the id of this ${name} in one system`,
    description: 'Removes the external link as well, and answers the external ids that remain.',
    access: needs('sample_delete'),
    version: 'held',
    params: v.ByIdAndSystem,
    response,
    statuses: {
      200: 'The external id was removed.',
      404: `No ${name} has this id, no external system has this name, or the ${name} has no id there.`,
      409: 'The subject was erased.',
    },
    example: { response: { ...example, external_ids: {} } },
  }) as const;

export const externalIdsOf = <S extends TObject>(owner: Owner<S>) => ({
  add: addTo(owner),
  get: readFrom(owner),
  set: setOn(owner),
  delete: deleteFrom(owner),
});
