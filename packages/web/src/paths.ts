/** The paths of all pages. Those of resources match their `web_uri`. */
const page = (collection: string) => (id: number) => `/${collection}/${id}`;

export const paths = {
  attention: '/',
  workflows: '/workflows',
  workflow: page('workflows'),
  workflowDefinition: (id: number) => `/workflows/${id}/definition`,
  workflowRevision: (id: number, revision: number) => `/workflows/${id}/definition?revision=${revision}`,
  experiments: '/experiments',
  experiment: page('experiments'),
  action: page('actions'),
  execution: page('callback_executions'),
  cohorts: '/cohorts',
  cohort: page('cohorts'),
  subject: page('subjects'),
  state: page('states'),
  bulkOperations: '/bulk-operations',
  bulkOperation: page('bulk-operations'),
  externalSystems: '/external_systems',
  users: '/users',
  user: page('users'),
  roles: '/roles',
  audit: '/audit',
  account: '/account',
  signIn: '/sign-in',
  forgotPassword: '/forgot-password',
  resetPassword: '/reset-password',
};
