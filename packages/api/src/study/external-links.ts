/**
 * External links (specification, section 4, External links): another view of `external_ids`, with one link for each pair of
 * object and external system.
 */
import { ExternalSystem, externalSystemExample } from './external-systems.ts';
import { defineOperations } from '../operation.ts';
import { needs, signedIn } from '../permission.ts';
import * as v from '../values.ts';

export const ExperimentLink = v.resource('ExperimentLink', 'The ID of an experiment in an external system.', {
  id: v.Id,
  uri: v.Uri,
  experiment: v.Ref,
  external_id: v.ExternalId,
  external_system: ExternalSystem,
});

export const SubjectLink = v.resource('SubjectLink', 'The ID of a subject in an external system.', {
  id: v.Id,
  uri: v.Uri,
  subject: v.Ref,
  external_id: v.ExternalId,
  external_system: ExternalSystem,
});

const named = v.optional(v.Reference);
const system = { external_id: v.ExternalId, external_system: named, external_system_name: v.optional(v.SystemName) };
const eitherSystem = v.eitherOf('external_system', 'external_system_name');

const ExperimentLinkBody = v.closed(
  { experiment: named, experiment_id: named, ...system },
  { allOf: [v.eitherOf('experiment', 'experiment_id'), eitherSystem] },
);
const SubjectLinkBody = v.closed(
  { subject_id: named, subject: named, ...system },
  { allOf: [v.eitherOf('subject_id', 'subject'), eitherSystem] },
);

const experimentLinkExample = {
  id: 61,
  uri: '/api/v2/external_experiment_links/61',
  experiment: { id: 112, label: 'MC-0041-baseline', uri: '/api/v2/experiments/112' },
  external_id: 'XNAT_E00112',
  external_system: externalSystemExample,
};
const experimentBodyExample = { experiment: '112', external_id: 'XNAT_E00112', external_system: 'XNAT' };

const subjectLinkExample = {
  id: 35,
  uri: '/api/v2/external_subject_links/35',
  subject: { id: 41, label: 'MC-0041', uri: '/api/v2/subjects/41' },
  external_id: 'XNAT_S00041',
  external_system: externalSystemExample,
};
const subjectBodyExample = { subject_id: 41, external_id: 'XNAT_S00041', external_system: 'XNAT' };

const namesOf = (field: string, alias: string) =>
  `\`${alias}\` is another name for \`${field}\`. It and \`external_system\` accept an id, or text: a label or name, or else ` +
  'a URI, or else the digits of an id. `external_system_name` is exactly the name of the system. If two fields refer to the ' +
  'same object, they must agree.';

export const externalLinkOperations = defineOperations({
  listExternalExperimentLinks: {
    method: 'GET',
    path: '/external_experiment_links',
    summary: 'List the external links of experiments',
    description: 'The links of all experiments, ordered by id.',
    access: signedIn,
    query: v.Page,
    response: v.listOf('external_experiment_links', ExperimentLink),
    statuses: { 200: 'The links.' },
    example: { response: { external_experiment_links: [experimentLinkExample] } },
  },
  createExternalExperimentLink: {
    method: 'POST',
    path: '/external_experiment_links',
    summary: 'Link an experiment to an external system',
    description: namesOf('experiment', 'experiment_id'),
    access: needs('sample_add'),
    version: 'shown',
    body: ExperimentLinkBody,
    response: ExperimentLink,
    statuses: {
      201: 'The link was created.',
      404: 'The experiment or the external system does not exist.',
      409: 'The experiment already has a link to this system, or more than one experiment or system matches the text.',
    },
    example: { body: experimentBodyExample, response: experimentLinkExample },
  },
  replaceExternalExperimentLink: {
    method: 'PUT',
    path: '/external_experiment_links',
    summary: 'Create or replace the external link of an experiment',
    description: `Creates the link, or replaces the external ID of the existing link, which keeps its id. ${namesOf('experiment', 'experiment_id')}`,
    access: needs('sample_update'),
    version: 'shown',
    body: ExperimentLinkBody,
    response: ExperimentLink,
    statuses: {
      200: 'The link.',
      404: 'The experiment or the external system does not exist.',
      409: 'More than one experiment or system matches the text.',
    },
    example: { body: experimentBodyExample, response: experimentLinkExample },
  },
  getExternalExperimentLink: {
    method: 'GET',
    path: '/external_experiment_links/{id}',
    summary: 'Read an external link of an experiment',
    description: 'Includes the experiment and the external system.',
    access: signedIn,
    version: 'shown',
    params: v.ById,
    response: ExperimentLink,
    statuses: { 200: 'The link.', 404: 'No link has this id.' },
    example: { response: experimentLinkExample },
  },
  listExternalSubjectLinks: {
    method: 'GET',
    path: '/external_subject_links',
    summary: 'List the external links of subjects',
    description: 'The links of all subjects, ordered by id.',
    access: signedIn,
    query: v.Page,
    response: v.listOf('external_subject_links', SubjectLink),
    statuses: { 200: 'The links.' },
    example: { response: { external_subject_links: [subjectLinkExample] } },
  },
  createExternalSubjectLink: {
    method: 'POST',
    path: '/external_subject_links',
    summary: 'Link a subject to an external system',
    description: namesOf('subject_id', 'subject'),
    access: needs('sample_add'),
    version: 'shown',
    body: SubjectLinkBody,
    response: SubjectLink,
    statuses: {
      201: 'The link was created.',
      404: 'The subject or the external system does not exist.',
      409: 'The subject already has a link to this system, or more than one subject or system matches the text.',
    },
    example: { body: subjectBodyExample, response: subjectLinkExample },
  },
  replaceExternalSubjectLink: {
    method: 'PUT',
    path: '/external_subject_links',
    summary: 'Create or replace the external link of a subject',
    description: `Creates the link, or replaces the external ID of the existing link, which keeps its id. ${namesOf('subject_id', 'subject')}`,
    access: needs('sample_update'),
    version: 'shown',
    body: SubjectLinkBody,
    response: SubjectLink,
    statuses: {
      200: 'The link already had this external ID.',
      201: 'The link was created, or its external ID was replaced.',
      404: 'The subject or the external system does not exist.',
      409: 'More than one subject or system matches the text.',
    },
    example: { body: subjectBodyExample, response: subjectLinkExample },
  },
  getExternalSubjectLink: {
    method: 'GET',
    path: '/external_subject_links/{id}',
    summary: 'Read an external link of a subject',
    description: 'Includes the subject and the external system.',
    access: signedIn,
    version: 'shown',
    params: v.ById,
    response: SubjectLink,
    statuses: { 200: 'The link.', 404: 'No link has this id.' },
    example: { response: subjectLinkExample },
  },
});
