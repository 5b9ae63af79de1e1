/** External systems (specification, section 4, External systems), and our operations to create and change them. */
import { defineOperations } from '../operation.ts';
import { needs, signedIn } from '../permission.ts';
import * as v from '../values.ts';

export const ExternalSystem = v.resource(
  'ExternalSystem',
  'Another system that stores subjects or experiments, such as an archive.',
  {
    id: v.Id,
    system_name: v.SystemName,
    uri: v.Uri,
    url: v.Url,
  },
);

export const externalSystemExample = {
  id: 2,
  system_name: 'XNAT',
  uri: '/api/v2/external_systems/2',
  url: 'https://xnat.example.org',
};

export const externalSystemOperations = defineOperations({
  listExternalSystems: {
    method: 'GET',
    path: '/external_systems',
    summary: 'List external systems',
    description: 'All external systems, ordered by id.',
    access: signedIn,
    query: v.Page,
    response: v.listOf('external_systems', ExternalSystem),
    statuses: { 200: 'The external systems.' },
    example: { response: { external_systems: [externalSystemExample] } },
  },
  getExternalSystemByName: {
    method: 'GET',
    path: '/external_systems/by-name/{system_name}',
    summary: 'Read an external system by name',
    description: 'Returns the same response as reading it by id. Write a slash in the name as `%2F`.',
    access: signedIn,
    version: 'shown',
    params: v.closed({ system_name: v.SystemNameInPath }),
    response: ExternalSystem,
    statuses: { 200: 'The external system.', 404: 'No external system has this name.' },
    example: { response: externalSystemExample },
  },
  getExternalSystem: {
    method: 'GET',
    path: '/external_systems/{id}',
    summary: 'Read an external system',
    description: 'Its name and URL.',
    access: signedIn,
    version: 'shown',
    params: v.ById,
    response: ExternalSystem,
    statuses: { 200: 'The external system.', 404: 'No external system has this id.' },
    example: { response: externalSystemExample },
  },
});

export const externalSystemChangeOperations = defineOperations({
  createExternalSystem: {
    method: 'POST',
    path: '/external_systems',
    summary: 'Create an external system',
    description: 'The name must be unique. External IDs, links and workflow files refer to it.',
    access: needs('config_manage'),
    installationWide: true,
    version: 'shown',
    body: v.closed({ system_name: v.SystemName, url: v.Url }),
    response: ExternalSystem,
    statuses: { 201: 'The external system was created.', 409: 'Another external system has this name.' },
    example: {
      body: { system_name: 'XNAT', url: 'https://xnat.example.org' },
      response: externalSystemExample,
    },
  },
  updateExternalSystem: {
    method: 'PUT',
    path: '/external_systems/{id}',
    summary: 'Change an external system',
    description:
      'Absent fields keep their values. A renamed system keeps its external IDs, URLs and links, but conditions and ' +
      'callback arguments that use the old name find nothing until you import the workflow with the new name.',
    access: needs('config_manage'),
    installationWide: true,
    version: 'checked',
    params: v.ById,
    body: v.closed({
      system_name: v.optional(v.SystemName),
      url: v.optional(v.Url),
      ...v.readOnly('id', 'uri'),
    }),
    response: ExternalSystem,
    statuses: {
      200: 'The external system.',
      404: 'No external system has this id.',
      409: 'Another external system has this name.',
    },
    example: { body: { url: 'https://xnat.example.org' }, response: externalSystemExample },
  },
});
