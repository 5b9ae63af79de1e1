/**
 * Links from experiments and subjects to their ids in other systems (specification, section 4, External links).
 * They are another view of `external_ids`: one link for each pair of resource and system.
 */
import { Type } from 'typebox';
import { ExternalSystem, externalSystemExample } from './external-systems.ts';
import { defineOperations } from './operation.ts';
import { needs, signedIn } from './permission.ts';
import * as v from './values.ts';

export const ExperimentLink = v.resource('ExperimentLink', 'The id of an experiment in an external system.', {
  id: v.Id,
  uri: v.Uri,
  experiment: v.Ref,
  external_id: v.ExternalId,
  external_system: ExternalSystem,
});

export const SubjectLink = v.resource('SubjectLink', 'The id of a subject in an external system.', {
  id: v.Id,
  uri: v.Uri,
  subject: v.Ref,
  external_id: v.ExternalId,
  external_system: ExternalSystem,
});

const named = Type.Optional(v.Reference);
const system = { external_id: v.ExternalId, external_system: named, external_system_name: named };
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
  `\`${alias}\` is another name for \`${field}\`, and \`external_system_name\` for \`external_system\`. ` +
  'Each takes an id, a uri, or a label or name; where both names are given they must agree.';

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
    summary: 'Link an experiment to its id in an external system',
    description: namesOf('experiment', 'experiment_id'),
    access: needs('sample_add'),
    version: 'shown',
    body: ExperimentLinkBody,
    response: ExperimentLink,
    statuses: {
      201: 'The link was created.',
      404: 'There is no such experiment, or no such external system.',
      409: 'The experiment has a link to this system, or more than one experiment has this label.',
    },
    example: { body: experimentBodyExample, response: experimentLinkExample },
  },
  replaceExternalExperimentLink: {
    method: 'PUT',
    path: '/external_experiment_links',
    summary: 'Set the id of an experiment in an external system',
    description: `Creates the link, or replaces its external id and keeps its own id. ${namesOf('experiment', 'experiment_id')}`,
    access: needs('sample_update'),
    version: 'shown',
    body: ExperimentLinkBody,
    response: ExperimentLink,
    statuses: {
      200: 'The link.',
      404: 'There is no such experiment, or no such external system.',
      409: 'More than one experiment has this label.',
    },
    example: { body: experimentBodyExample, response: experimentLinkExample },
  },
  getExternalExperimentLink: {
    method: 'GET',
    path: '/external_experiment_links/{id}',
    summary: 'Read an external link of an experiment',
    description: 'With the experiment and the external system that it joins.',
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
    summary: 'Link a subject to its id in an external system',
    description: namesOf('subject_id', 'subject'),
    access: needs('sample_add'),
    version: 'shown',
    body: SubjectLinkBody,
    response: SubjectLink,
    statuses: {
      201: 'The link was created.',
      404: 'There is no such subject, or no such external system.',
      409: 'The subject has a link to this system, or more than one subject has this label.',
    },
    example: { body: subjectBodyExample, response: subjectLinkExample },
  },
  replaceExternalSubjectLink: {
    method: 'PUT',
    path: '/external_subject_links',
    summary: 'Set the id of a subject in an external system',
    description: `Creates the link, or replaces its external id and keeps its own id. ${namesOf('subject_id', 'subject')}`,
    access: needs('sample_update'),
    version: 'shown',
    body: SubjectLinkBody,
    response: SubjectLink,
    statuses: {
      200: 'The external id was replaced.',
      201: 'The link was created.',
      404: 'There is no such subject, or no such external system.',
      409: 'More than one subject has this label.',
    },
    example: { body: subjectBodyExample, response: subjectLinkExample },
  },
  getExternalSubjectLink: {
    method: 'GET',
    path: '/external_subject_links/{id}',
    summary: 'Read an external link of a subject',
    description: 'With the subject and the external system that it joins.',
    access: signedIn,
    version: 'shown',
    params: v.ById,
    response: SubjectLink,
    statuses: { 200: 'The link.', 404: 'No link has this id.' },
    example: { response: subjectLinkExample },
  },
});
