/** All pages, with content on each. */
import type { Connection } from '../connection.ts';
import { makeStudy } from './study.ts';

export interface Screen {
  name: string;
  path: string;
  /** A text that is visible when the page has loaded. */
  shows: string;
}

export async function makeScreens(product: Connection, label: string): Promise<Screen[]> {
  const { client } = product;
  const study = await makeStudy(product, label);
  const id = await study.experiment(`E-${label}`, 'segmenting');
  const run = await study.claimRun();
  await run.appendLog('Series 1 of 5\n');
  await run.finish('failed', 'no T1 series');
  await client.addNote({ params: { id }, body: { text: 'Ask the scanner room.' } });
  await client.createExternalSystem({ body: { system_name: 'XNAT', url: 'https://xnat.example.org' } });
  const reader = await client.createUser({
    body: {
      username: `reader-${label}`,
      name: `Reader ${label}`,
      email: `reader-${label}@example.org`,
      password: 'reads and nothing else',
    },
  });
  const { state } = await client.getExperimentState({ params: { id } });
  const { actions } = await client.getExperimentTimeline({ params: { id } });
  return [
    { name: 'Needs attention', path: '/', shows: `E-${label}` },
    { name: 'Workflows', path: '/workflows', shows: label },
    { name: 'Workflow', path: `/workflows/${study.workflow.id}`, shows: `E-${label}` },
    { name: 'State', path: `/workflows/${study.workflow.id}?state=${state.id}`, shows: `E-${label}` },
    { name: 'Experiments', path: '/experiments', shows: `E-${label}` },
    { name: 'Experiment', path: `/experiments/${id}`, shows: 'Ask the scanner room.' },
    { name: 'Action', path: `/actions/${actions[0]?.id}`, shows: 'segmentation' },
    { name: 'Callback execution', path: `/callback_executions/${run.executionId}`, shows: 'Series 1 of 5' },
    { name: 'Cohorts', path: '/cohorts', shows: `Cohort ${label}` },
    { name: 'Cohort', path: `/cohorts/${study.cohort.id}`, shows: `S-${label}` },
    { name: 'Subject', path: `/subjects/${study.subject.id}`, shows: `E-${label}` },
    { name: 'States of a cohort', path: `/cohorts/${study.cohort.id}?view=states`, shows: 'segmenting' },
    { name: 'External systems', path: '/external_systems', shows: 'https://xnat.example.org' },
    { name: 'Users', path: '/users', shows: `Reader ${label}` },
    { name: 'User', path: `/users/${reader.id}`, shows: `reader-${label}@example.org` },
    { name: 'Roles', path: '/roles', shows: 'Add users' },
    { name: 'Audit log', path: '/audit', shows: 'createExternalSystem' },
    { name: 'Account', path: '/account', shows: 'This browser' },
  ];
}
