/** All pages, with content on each. */
import type { Client } from '@milepost/api';
import { setTimeout } from 'node:timers/promises';
import type { Connection } from '../connection.ts';
import { makeStudy } from './study.ts';

export interface Screen {
  name: string;
  path: string;
  /** A text that is visible when the page has loaded. */
  shows: string;
  /** The page requests no data. */
  isStatic?: true;
}

/** They request no data. */
const staticScreens: readonly Screen[] = [
  { name: 'Help', path: '/help', shows: 'How Milepost works', isStatic: true },
  { name: 'New workflow', path: '/workflows/import', shows: 'Start with an example', isStatic: true },
  { name: 'Configuration', path: '/configuration', shows: 'Nothing changes until you import it', isStatic: true },
  { name: 'Not found', path: '/nothing/here', shows: 'Page not found', isStatic: true },
];

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
  const bulk = await client.createBulkOperation({
    body: { kind: 'note', experiment_ids: [id], text: `Note for ${label}`, reason: 'Seen by two raters' },
  });
  const spreadsheet = await makeImport(client, study.cohort.id, `I-${label}`);
  const { state } = await client.getExperimentState({ params: { id } });
  const { actions } = await client.getExperimentTimeline({ params: { id } });
  return [
    { name: 'Needs attention', path: '/', shows: `E-${label}` },
    { name: 'Workflows', path: '/workflows', shows: label },
    { name: 'Workflow', path: `/workflows/${study.workflow.id}`, shows: `E-${label}` },
    { name: 'Definition', path: `/workflows/${study.workflow.id}/definition`, shows: 'Revision 1 (current)' },
    {
      name: 'New revision',
      path: `/workflows/import?workflow=${study.workflow.id}`,
      shows: `Import a new revision of ${label}`,
    },
    { name: 'State', path: `/workflows/${study.workflow.id}?state=${state.id}`, shows: `E-${label}` },
    { name: 'Experiments', path: '/experiments', shows: `E-${label}` },
    { name: 'Experiment', path: `/experiments/${id}`, shows: 'Ask the scanner room.' },
    { name: 'Action', path: `/actions/${actions[0]?.id}`, shows: 'segmentation' },
    { name: 'Callback execution', path: `/callback_executions/${run.executionId}`, shows: 'Series 1 of 5' },
    { name: 'Cohorts', path: '/cohorts', shows: `Cohort ${label}` },
    { name: 'Cohort', path: `/cohorts/${study.cohort.id}`, shows: `S-${label}` },
    { name: 'Subject', path: `/subjects/${study.subject.id}`, shows: `E-${label}` },
    { name: 'States of a cohort', path: `/cohorts/${study.cohort.id}?view=states`, shows: 'segmenting' },
    { name: 'About a cohort', path: `/cohorts/${study.cohort.id}?view=about`, shows: 'Add external URL' },
    { name: 'Insights', path: `/insights?workflow=${study.workflow.id}`, shows: 'Time in state' },
    { name: 'Bulk operations', path: '/bulk-operations', shows: 'Add note' },
    { name: 'Bulk operation', path: `/bulk-operations/${bulk.id}`, shows: `Note for ${label}` },
    { name: 'Imports', path: '/imports', shows: `I-${label}.csv` },
    { name: 'New import', path: '/imports/new', shows: 'Choose a CSV file, or drop it here' },
    { name: 'Import', path: `/imports/${spreadsheet.id}`, shows: `I-${label}-baseline` },
    { name: 'External systems', path: '/external_systems', shows: 'https://xnat.example.org' },
    { name: 'Users', path: '/users', shows: `Reader ${label}` },
    { name: 'User', path: `/users/${reader.id}`, shows: `reader-${label}@example.org` },
    { name: 'Roles', path: '/roles', shows: 'Add users' },
    { name: 'Audit log', path: '/audit', shows: 'Created external system' },
    { name: 'System', path: '/system', shows: 'Longest lock wait' },
    { name: 'Account', path: '/account', shows: 'This browser' },
    ...staticScreens,
  ];
}

export interface RedirectAddress {
  path: string;
  to: RegExp;
}

/** An address of each kind that leads to another page. */
export async function makeRedirects({ client }: Connection, experimentId: number): Promise<RedirectAddress[]> {
  await client.importConfig({ body: { config_definition: 'scantypes: [{protocol: T1w, modality: MR}]' } });
  const scan = await client.createScan({ body: { experiment_id: experimentId, scantype_protocol: 'T1w' } });
  const { transitions } = await client.listTransitions({ query: { limit: 1 } });
  const { callbacks } = await client.listCallbacks({ query: { limit: 1 } });
  const { state } = await client.getExperimentState({ params: { id: experimentId } });
  return [
    { path: '/sign-in', to: /\/$/ },
    { path: `/states/${state.id}`, to: /\/workflows\/\d+\?state=\d+$/ },
    { path: `/transitions/${transitions[0]?.id}`, to: /\/workflows\/\d+\?state=\d+$/ },
    { path: `/callbacks/${callbacks[0]?.id}`, to: /\/workflows\/\d+\?state=\d+$/ },
    { path: `/scans/${scan.id}`, to: /\/experiments\/\d+$/ },
    { path: '/external_systems/1', to: /\/external_systems$/ },
  ];
}

/** A spreadsheet with a correct line and a faulty one, which was checked. */
async function makeImport(client: Client, cohortId: number, subject: string) {
  const { id } = await client.createImport({
    query: { cohort_id: cohortId, file_name: `${subject}.csv` },
    file: `subject,experiment,scan_date,ward\n${subject},${subject}-baseline,2025-02-17,N2\n${subject},,31.02.2025,P4\n`,
  });
  for (;;) {
    const found = await client.getImport({ params: { id } });
    if (found.status !== 'checking') return found;
    await setTimeout(100);
  }
}

const decision = (label: string) => `
label: ${label}
initial: visual_qc
states:
  - label: visual_qc
    title: Visual QC
    freetext: A person reviews the images and decides.
    decision:
      due: 1min
      show:
        - {variable: motion, title: Motion, unit: mm, max: 1.2}
        - {variable: contrast, title: Contrast, min: 9}
        - {variable: volume, title: Volume, unit: ml}
      fields:
        - {variable: quality, title: Quality, type: choice, choices: [good, poor]}
        - {variable: comment, title: Comment, type: text}
    transitions:
      - {destination: accepted, by: person, title: Accept}
      - {destination: again, by: person, title: Reprocess, condition: "experiment.variables['volume'] == 1"}
      - {destination: rejected, by: person, title: Reject}
  - {label: accepted, outcome: good}
  - {label: again, outcome: neutral}
  - {label: rejected, outcome: bad}
`;

/** An experiment that waits for a decision, and its state: a value over its limit, one within, one that is not set, and an impossible destination. */
export async function makeDecisionScreens({ client }: Connection, label: string): Promise<Screen[]> {
  await client.importWorkflow({ body: { workflow_definition: decision(label) } });
  const cohort = await client.createCohort({ body: { label: `Cohort ${label}` } });
  const subject = await client.createSubject({ body: { label: `S-${label}`, cohort_label: cohort.label } });
  const { id } = await client.createExperiment({
    body: { label: `E-${label}`, subject_id: subject.id, workflow_label: label },
  });
  for (const [name, value] of Object.entries({ motion: 1.56, contrast: 10.9 }))
    await client.setExperimentVariable({ params: { id, name }, body: { value } });
  const { workflow, state } = await client.getExperimentOverview({ params: { id } });
  return [
    { name: 'Decision', path: `/experiments/${id}`, shows: '0.36 mm over the limit' },
    { name: 'Decisions of a state', path: `/workflows/${workflow.id}?state=${state.id}`, shows: 'Motion is 1.56 mm.' },
  ];
}
