/** A subject with a recognisable text in every place that can hold personal data. */
import { runBulkOperations } from '../../src/engine/bulk/run-bulk-operations.ts';
import { engineContext } from '../engine-context.ts';
import { pulledWorkflow, type EngineWorld } from '../engine-world.ts';
import type { TestServer } from '../server.ts';

const texts = {
  label: 'canary-subject-label',
  birth: '1911-11-11',
  subjectId: 'canary-id-of-subject',
  experimentLabel: 'canary-experiment-label',
  scandate: '1999-09-09',
  experimentId: 'canary-id-of-experiment',
  removedId: 'canary-id-that-was-removed',
  linkId: 'canary-id-of-a-link',
  freetext: 'canary-freetext',
  note: 'canary-note',
  snooze: 'canary-note-of-a-snooze',
  variable: 'canary-variable',
  variableName: 'canary_variable_name',
  variableReason: 'canary-reason-of-variable',
  heartbeat: 'canary-heartbeat',
  runLog: 'canary-run-log',
  resultLog: 'canary-result-log',
  result: 'canary-result-value',
  cause: 'canary cause of a failure',
  incident: 'canary-incident',
  view: 'canary-view-of-a-subject',
  event: 'canary-event',
  bulk: 'canary-of-a-bulk-operation',
  bulkVariable: 'canary-variable-of-a-bulk-operation',
  bulkReason: 'canary-reason-of-a-bulk-operation',
  importCell: 'canary-cell-of-a-spreadsheet',
  importFile: 'canary-file-of-a-spreadsheet',
  mapping: 'canary-mapping-of-a-spreadsheet',
  job: 'canary-job',
  earlierLabel: 'canary-label-under-another-subject',
  correction: 'canary-correction-of-an-action',
  formerLabel: 'canary-label-before-it-was-renamed',
  wronglyOwned: 'canary-words-while-it-was-theirs',
  withdrawal: 'canary-reason-of-withdrawal',
  request: 'canary-reason-of-request',
};

export interface Canaries {
  texts: typeof texts;
  subject: number;
  experiment: number;
  /** An experiment that now belongs to another subject. */
  reassigned: number;
  action: number;
  /** The claim of a running execution. */
  claim: { execution: { id: number }; secret: string };
  /** Inserts a job that should no longer exist, with a canary in its data. */
  insertLeftoverJob: () => Promise<unknown>;
  repeatCreate: () => ReturnType<TestServer['call']>;
}

/** The condition compares the subject's label, so that the engine records the label. */
const comparingWorkflow = `states:
  - label: run
    callbacks:
      - {label: c, function: worker, callback_arguments: {queue: compared}}
    transitions:
      - {destination: good, condition: "subject.label == 'unknown'", by: engine}
      - {destination: other, by: person}
  - {label: good}
  - {label: other}
`;

const withKey = (key: string) => ({ headers: { 'idempotency-key': key } });

async function makeSubject(server: TestServer) {
  await server.call('createCohort', { body: { label: 'aviary' } });
  await server.call('createExternalSystem', { body: { system_name: 'XNAT', url: 'https://x' } });
  await server.call('createExternalSystem', { body: { system_name: 'PACS', url: 'https://y' } });
  const body = { label: texts.formerLabel, date_of_birth: texts.birth, cohort_label: 'aviary' };
  const create = () => server.call('createSubject', { body, ...withKey('create') });
  const { id, cohort } = (await create()).body;
  const params = { id };
  const shown = { params: { id: cohort.id }, fields: 'subjects{label}' };
  await server.call('updateCohort', { ...shown, body: { description: 'eggs' }, ...withKey('former') });
  await server.call('updateSubject', { params, body: { label: texts.label } });
  const ids = { external_ids: { XNAT: texts.subjectId, PACS: texts.removedId } };
  await server.call('addSubjectExternalIds', { params, body: ids, ...withKey('ids') });
  // A stored response with only the external ID of a link that is then removed.
  const link = { subject_id: id, external_system: 'PACS', external_id: texts.linkId };
  await server.call('replaceExternalSubjectLink', { body: link, fields: 'external_id', ...withKey('link') });
  await server.call('deleteSubjectExternalId', { params: { id, system_name: 'PACS' } });
  // Stored responses without a history entry, as nothing changed.
  await server.call('updateSubject', { params, body: { label: texts.label }, fields: 'label', ...withKey('same') });
  await server.call('updateCohort', { ...shown, body: { description: 'birds' }, ...withKey('cohort') });
  return { id: id as number, create };
}

async function makeExperiment(server: TestServer, world: EngineWorld, subject: number) {
  const workflow_label = await world.importWorkflow(pulledWorkflow('canaries'));
  const body = { label: texts.experimentLabel, scandate: texts.scandate, subject_id: subject, workflow_label };
  const { id } = (await server.call('createExperiment', { body, ...withKey('experiment') })).body;
  const params = { id };
  await server.call('addExperimentExternalIds', { params, body: { external_ids: { XNAT: texts.experimentId } } });
  await server.call('addNote', { params, body: { text: texts.note }, ...withKey('note') });
  const snooze = { until: '2999-01-01T00:00:00Z', note: texts.snooze };
  await server.call('snoozeExperiment', { params, body: snooze, ...withKey('snooze') });
  const variable = { value: texts.variable, reason: texts.variableReason };
  await server.call('setExperimentVariable', { params: { id, name: texts.variableName }, body: variable });
  const [scantype] = await server.sql<{ id: number }>(
    `insert into scantypes (modality, protocol) values ('MR', 'T1') returning id::int`,
  );
  await server.call('createScan', { body: { experiment_id: id, scantype_id: scantype?.id } });
  return id as number;
}

/** Runs the callback, reports it, moves the experiment and changes the action, with a canary in every text. */
async function run(server: TestServer, world: EngineWorld, experiment: number): Promise<number> {
  const [claim] = await world.claim('canaries');
  const as = { as: null, headers: { authorization: `Bearer ${claim.secret}` } };
  const params = { execution_id: claim.execution.id };
  await server.call('renewClaim', { ...as, params, body: { log: texts.heartbeat } });
  const logs = { run_log: texts.runLog, result_log: texts.resultLog };
  await world.reportWithSecret(claim, {
    status: 'finished',
    result: 'failed',
    ...logs,
    result_values: { x: texts.result, error: texts.cause },
  });
  await server.sql('update incidents set detail = $1 where experiment_id = $2', [texts.incident, experiment]);
  await world.move(experiment, 'other', { freetext: texts.freetext });
  const [action] = await world.actionsOf(experiment);
  const body = { return_value: texts.correction };
  await server.call('updateAction', { params: { id: action?.id ?? 0 }, body, ...withKey('correct') });
  return action?.id ?? 0;
}

/** An experiment that was created for another subject and then moved to this one. */
async function takeOverExperiment(server: TestServer, world: EngineWorld, subject: number) {
  const workflow_label = await world.importWorkflow(pulledWorkflow('corrected'));
  const owner = await world.subject();
  const body = { label: texts.earlierLabel, subject_id: owner.id, workflow_label };
  const { id } = (await server.call('createExperiment', { body })).body;
  await server.call('updateExperiment', { params: { id }, body: { subject_id: subject } });
  const [claim] = await world.claim('corrected');
  return claim as Canaries['claim'];
}

/** An experiment that ran for this subject and then moved to another one. */
async function reassignExperiment(server: TestServer, world: EngineWorld, subject: number): Promise<number> {
  const workflow_label = await world.importWorkflow(comparingWorkflow);
  const body = { label: 'of another subject', subject_id: subject, workflow_label };
  const { id } = (await server.call('createExperiment', { body })).body;
  const [claim] = await world.claim('compared');
  await world.reportWithSecret(claim, { status: 'finished', result: 'success' });
  await world.move(id, 'other', { freetext: texts.wronglyOwned });
  const owner = await world.subject();
  await server.call('updateExperiment', { params: { id }, body: { subject_id: owner.id } });
  return id;
}

/** Views that mention the subject by each of its names, with an `Idempotency-Key`, which must not store anything. */
async function saveViews(server: TestServer): Promise<void> {
  const queries = [
    `subject:${texts.label.toUpperCase()} incident:any`,
    `-"${texts.formerLabel}"`,
    `external.XNAT:${texts.subjectId}`,
    `external.XNAT:"${texts.experimentId}",other`,
    `external.PACS:${texts.removedId}`,
    `label:${texts.experimentLabel}-2*`,
  ];
  for (const [index, query] of queries.entries()) {
    const name = `${texts.view} ${index}`;
    const { body } = await server.call('createView', {
      body: { name, query: 'incident:any' },
      ...withKey(`view-${index}`),
    });
    await server.call('updateView', { params: { id: body.id }, body: { query }, ...withKey(`changed-${index}`) });
  }
  await server.call('createView', { body: { name: `Of ${texts.label}`, query: '' } });
}

/** Bulk operations that mention the subject in each of their texts, with an `Idempotency-Key`, and one that changes its experiment. */
async function makeBulkOperations(server: TestServer, experiment: number): Promise<void> {
  const named = `${texts.bulk} ${texts.formerLabel.toUpperCase()}`;
  const bodies = [
    { kind: 'note', text: named, query: 'incident:any', dry_run: true },
    { kind: 'retry', query: `subject:${texts.label} "${texts.bulk}"`, dry_run: true },
    { kind: 'retry', query: 'incident:any', reason: named },
    { kind: 'set_variables', variables: { x: { y: [named] } }, query: 'incident:any', dry_run: true },
    // Only of this subject, without its name.
    {
      kind: 'set_variables',
      variables: { x: texts.bulkVariable },
      experiment_ids: [experiment, 9_999_999],
      reason: texts.bulkReason,
    },
  ];
  for (const [index, body] of bodies.entries())
    await server.call('createBulkOperation', { body, ...withKey(`bulk-${index}`) });
  await runBulkOperations(engineContext(server, 'runBulkOperations'));
}

/** Spreadsheets with a line of the subject, and with its name in the name of the file and of a mapping. */
async function uploadSpreadsheets(server: TestServer, subject: number): Promise<void> {
  const { body } = await server.call('getSubject', { params: { id: subject } });
  const cohort_id = body.cohort.id;
  const csv = `subject,experiment,note\n${texts.label},other,${texts.importCell}\nsomebody else,e1,\n`;
  await server.call('createImport', { query: { cohort_id }, body: csv, ...withKey('import') });
  const file_name = `${texts.importFile} ${texts.formerLabel}.csv`;
  await server.call('createImport', { query: { cohort_id, file_name }, body: 'subject\nsomebody\n' });
  const name = `${texts.mapping} ${texts.label}`;
  const columns = { subject: { target: 'subject' } };
  await server.call('saveImportMapping', { params: { id: cohort_id, name }, body: { columns }, ...withKey('mapping') });
}

export async function makeCanaries(server: TestServer, world: EngineWorld): Promise<Canaries> {
  const { id: subject, create } = await makeSubject(server);
  const experiment = await makeExperiment(server, world, subject);
  const action = await run(server, world, experiment);
  const claim = await takeOverExperiment(server, world, subject);
  const reassigned = await reassignExperiment(server, world, subject);
  await saveViews(server);
  await makeBulkOperations(server, experiment);
  await uploadSpreadsheets(server, subject);
  await server.sql(
    `with entry as (
       insert into history (actor_kind, operation, object_kind, object_id, reason) values ('engine', 'test', 'experiment', $1, ''))
     insert into events (kind, object_kind, object_id, data) values ('test', 'experiment', $1, jsonb_build_object('x', $2::text))`,
    [experiment, texts.event],
  );
  const insertLeftoverJob = () =>
    server.sql(
      `insert into pgboss.job_common (id, name, data, output)
       values (lpad(to_hex($1::bigint), 32, '0')::uuid, 'callbacks', jsonb_build_object('x', $2::text), to_jsonb($2::text))`,
      [claim.execution.id, texts.job],
    );
  return { texts, subject, experiment, reassigned, action, claim, insertLeftoverJob, repeatCreate: create };
}
