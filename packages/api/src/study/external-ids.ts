/** The four operations on external IDs, which subjects and experiments share. External links are another view of them. */
import type { Static, TObject } from 'typebox';
import { needs, signedIn } from '../permission.ts';
import * as v from '../values.ts';

interface Owner<S extends TObject> {
  name: 'subject' | 'experiment';
  response: S;
  example: Static<S> & { external_ids: Record<string, string> };
}

const a = (name: string) => (name === 'experiment' ? `an ${name}` : `a ${name}`);

const addTo = <S extends TObject>({ name, response, example }: Owner<S>) =>
  ({
    method: 'POST',
    path: `/${name}s/{id}/external_ids`,
    summary: `Add external IDs to ${a(name)}`,
    description:
      'Adds or replaces the IDs in the named systems and keeps the others. If one is invalid, nothing changes. ' +
      '`external_ids` is an object, or a string that contains the object as JSON.',
    access: needs('sample_update'),
    version: 'checked',
    params: v.ById,
    body: v.closed({ external_ids: v.objectOrText(v.idBySystem) }),
    response,
    statuses: {
      200: 'All IDs existed and were replaced.',
      201: 'At least one ID is new.',
      404: `No ${name} has this id, or an external system does not exist.`,
      409: 'The subject was erased.',
    },
    example: { body: { external_ids: example.external_ids }, response: example },
  }) as const;

const readFrom = <S extends TObject>({ name, response, example }: Owner<S>) =>
  ({
    method: 'GET',
    path: `/${name}s/{id}/external_ids`,
    summary: `Read the external IDs of ${a(name)}`,
    description: `One ID for each external system that contains the ${name}.`,
    access: signedIn,
    version: 'shown',
    params: v.ById,
    response,
    statuses: { 200: 'The external IDs.', 404: `No ${name} has this id.` },
    example: { response: example },
  }) as const;

const setOn = <S extends TObject>({ name, response, example }: Owner<S>) =>
  ({
    method: 'PUT',
    path: `/${name}s/{id}/external_ids/{system_name}`,
    summary: `Set an external ID of ${a(name)}`,
    description:
      'Creates or replaces the ID in one external system. If the ID is replaced, the external link keeps its id.',
    access: needs('sample_update'),
    version: 'checked',
    params: v.ByIdAndSystem,
    body: v.closed({ external_id: v.ExternalId }),
    response,
    statuses: {
      200: 'The external ID was already set.',
      201: 'The external ID was created or replaced.',
      404: `No ${name} has this id, or no external system has this name.`,
      409: 'The subject was erased.',
    },
    example: { body: { external_id: Object.values(example.external_ids)[0] }, response: example },
  }) as const;

const deleteFrom = <S extends TObject>({ name, response, example }: Owner<S>) =>
  ({
    method: 'DELETE',
    path: `/${name}s/{id}/external_ids/{system_name}`,
    summary: `Remove an external ID from ${a(name)}`,
    description: 'Also removes the external link. Returns the remaining external IDs.',
    access: needs('sample_delete'),
    version: 'checked',
    params: v.ByIdAndSystem,
    response,
    statuses: {
      200: 'The external ID was removed.',
      404: `No ${name} has this id, no external system has this name, or the ${name} has no ID there.`,
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
