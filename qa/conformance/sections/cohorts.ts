/** The cohort that the section on subjects created. */
import { unknownId, notFound, type Step } from '../step.ts';

const resource: Step[] = [
  { call: 'GET /cohorts', status: 200, shows: { 'cohorts.0.label': 'Memory' } },
  { call: 'GET /cohorts/by-label/{label}', params: { label: 'Memory' }, status: 200 },
  notFound('GET /cohorts/by-label/{label}', { params: { label: 'Nowhere' } }),
  {
    call: 'GET /cohorts/{id}',
    params: { id: '$cohort' },
    status: 200,
    shows: { description: 'A cohort of volunteers' },
  },
  notFound('GET /cohorts/{id}', { params: { id: unknownId } }),
  {
    call: 'PUT /cohorts/{id}',
    params: { id: '$cohort' },
    body: { label: 'Memory clinic', description: 'Patients' },
    status: 200,
    shows: { label: 'Memory clinic', description: 'Patients' },
  },
  notFound('PUT /cohorts/{id}', { params: { id: unknownId }, body: { label: 'x' } }),
];

const all = '/cohorts/{id}/external_urls';
const one = '/cohorts/{id}/external_urls/{system_name}';
const url = 'https://xnat.example.org/data/projects/memory';
const body = { external_url: `${url}/2` };

/** The specification declares `external_urls` a string: the JSON text of the object. */
const externalUrls: Step[] = [
  {
    call: `POST ${all}`,
    params: { id: '$cohort' },
    body: { external_urls: JSON.stringify({ XNAT: url }) },
    status: 201,
    shows: { external_urls: { XNAT: url } },
  },
  {
    call: `POST ${all}`,
    params: { id: '$cohort' },
    body: { external_urls: JSON.stringify({ XNAT: url }) },
    status: 200,
  },
  notFound(`POST ${all}`, { params: { id: unknownId }, body: { external_urls: JSON.stringify({ XNAT: url }) } }),
  notFound(`POST ${all}`, { params: { id: '$cohort' }, body: { external_urls: JSON.stringify({ Nowhere: url }) } }),
  { call: `PUT ${one}`, params: { id: '$cohort', system_name: 'XNAT' }, body, status: 201 },
  { call: `PUT ${one}`, params: { id: '$cohort', system_name: 'XNAT' }, body, status: 200 },
  { call: `PUT ${one}`, params: { id: '$cohort', system_name: 'PACS' }, body, status: 201 },
  notFound(`PUT ${one}`, { params: { id: unknownId, system_name: 'XNAT' }, body }),
  notFound(`PUT ${one}`, { params: { id: '$cohort', system_name: 'Nowhere' }, body }),
  {
    call: `GET ${all}`,
    params: { id: '$cohort' },
    status: 200,
    shows: { external_urls: { PACS: body.external_url, XNAT: body.external_url } },
  },
  notFound(`GET ${all}`, { params: { id: unknownId } }),
  {
    call: `DELETE ${one}`,
    params: { id: '$cohort', system_name: 'PACS' },
    status: 200,
    shows: { external_urls: { XNAT: body.external_url } },
  },
  notFound(`DELETE ${one}`, { params: { id: '$cohort', system_name: 'PACS' } }),
  notFound(`DELETE ${one}`, { params: { id: '$cohort', system_name: 'Nowhere' } }),
  notFound(`DELETE ${one}`, { params: { id: unknownId, system_name: 'XNAT' } }),
];

const names = { label: 'Memory clinic', subject_label: 'MC-0040', experiment_label: 'visit-1' };
const subjects = '/cohorts/{label}/subjects';
const subject = `${subjects}/{subject_label}`;
const experiments = `${subject}/experiments`;
const experiment = `${experiments}/{experiment_label}`;

/** Each path below a cohort, and the same path with each of its names replaced by an unknown one. */
const below: Step[] = [subjects, subject, experiments, experiment].flatMap((path) => {
  const used = Object.keys(names).filter((name) => path.includes(`{${name}}`));
  return [
    { call: `GET ${path}`, params: names, status: 200 },
    ...used.map((name) => notFound(`GET ${path}`, { params: { ...names, [name]: 'Nowhere' } })),
  ];
});

export const cohorts: Step[] = [...resource, ...externalUrls, ...below];
