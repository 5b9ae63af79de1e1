/** Links of the subject and the experiment that the section on subjects created, to the systems of the configuration. */
import { unknownId, notFound, type Step, type Value } from '../step.ts';

interface Owner {
  name: 'experiment' | 'subject';
  /** The body field that names the owner, and a reference of the specified type. */
  field: string;
  reference: Value;
  unknown: Value;
  label: string;
  /** The status of a PUT that creates or changes a link. */
  written: number;
}

function stepsFor({ name, field, reference, unknown, label, written }: Owner): Step[] {
  const path = `/external_${name}_links`;
  const saved = `${name}_link`;
  const body = (external_id: string, more: Record<string, Value> = {}) => ({
    [field]: reference,
    external_system: 'PACS',
    external_id,
    ...more,
  });
  const rejections = ['POST', 'PUT'].flatMap((method) => [
    notFound(`${method} ${path}`, { body: body('x', { [field]: unknown }) }),
    notFound(`${method} ${path}`, { body: body('x', { external_system: 'Nowhere' }) }),
  ]);
  const shows = { [`${name}.label`]: label, 'external_system.system_name': 'PACS' };
  return [
    ...rejections,
    {
      call: `POST ${path}`,
      body: body('A'),
      status: 201,
      save: { [saved]: 'id' },
      shows: { external_id: 'A', ...shows },
    },
    { call: `POST ${path}`, body: body('B'), status: 409 },
    { call: `PUT ${path}`, body: body('B'), status: written, shows: { external_id: 'B', ...shows } },
    { call: `PUT ${path}`, body: body('B'), status: 200, shows: { external_id: 'B', ...shows } },
    { call: `GET ${path}/{id}`, params: { id: `$${saved}` }, status: 200, shows: { external_id: 'B', ...shows } },
    notFound(`GET ${path}/{id}`, { params: { id: unknownId } }),
    { call: `GET ${path}`, status: 200 },
    ...removeAsExternalId(name, `$${saved}`, path),
    { call: `PUT ${path}`, body: body('C'), status: written, shows: { external_id: 'C', ...shows } },
  ];
}

/** Reads and removes the same link as an external ID. */
function removeAsExternalId(name: string, link: string, path: string): Step[] {
  const ids = `/${name}s/{id}/external_ids`;
  const id = `$${name}`;
  return [
    { call: `GET ${ids}`, params: { id }, status: 200, shows: { 'external_ids.PACS': 'B' } },
    { call: `DELETE ${ids}/{system_name}`, params: { id, system_name: 'PACS' }, status: 200 },
    notFound(`GET ${path}/{id}`, { params: { id: link } }),
  ];
}

export const externalLinks: Step[] = [
  // The specification declares the reference a string. We use the label.
  ...stepsFor({
    name: 'experiment',
    field: 'experiment',
    reference: 'visit-1',
    unknown: 'Nowhere',
    label: 'visit-1',
    written: 200,
  }),
  ...stepsFor({
    name: 'subject',
    field: 'subject_id',
    reference: '$subject',
    unknown: unknownId,
    label: 'MC-0040',
    written: 201,
  }),
];
