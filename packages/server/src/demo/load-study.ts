/**
 * Loads the study through the API, like an import from a spreadsheet. Existing data stays unchanged, so that a later start
 * continues where the last one stopped.
 */
import type { Client } from '@milepost/api';
import { baseline, cohorts, scantypes, subjects, workflow, type DemoExperiment, type DemoSubject } from './study.ts';

/** Low enough that the server stays responsive for users. */
const concurrency = 3;

export async function loadDefinitions(
  client: Client,
  systems: Readonly<Record<string, string>>,
  workflow_definition: string,
): Promise<void> {
  await setExternalSystems(client, systems);
  await client.importWorkflow({ body: { workflow_definition } });
  const known = new Set((await client.listCohorts()).cohorts.map(({ label }) => label));
  for (const { label, description } of cohorts) {
    if (!known.has(label)) await client.createCohort({ body: { label, description } });
  }
}

/** The simulated systems have new ports at each start. */
async function setExternalSystems(client: Client, systems: Readonly<Record<string, string>>): Promise<void> {
  const { external_systems: known } = await client.listExternalSystems();
  for (const [system_name, url] of Object.entries(systems)) {
    const id = known.find((system) => system.system_name === system_name)?.id;
    if (id === undefined) await client.createExternalSystem({ body: { system_name, url } });
    else await client.updateExternalSystem({ params: { id }, body: { url } });
  }
}

/** Ids of subjects by their label. */
export type SubjectIds = Map<string, number>;

/** Returns the ids of the subjects and the number of experiments. */
export async function loadStudy(
  client: Client,
  signal: AbortSignal,
): Promise<{ ids: SubjectIds; experiments: number }> {
  const ids = await knownSubjects(client);
  const known = new Set((await client.listExperiments()).experiments.map(({ label }) => label));
  const missing = subjects.flatMap((subject, index) => {
    const experiment = baseline[index];
    return experiment && !known.has(experiment.label) ? [{ subject, experiment }] : [];
  });
  const queue = missing.values();
  const loadFromQueue = async () => {
    for (const { subject, experiment } of queue) {
      if (signal.aborted) return;
      if (!ids.has(subject.label)) ids.set(subject.label, await loadSubject(client, subject));
      await loadExperiment(client, ids, experiment);
    }
  };
  await Promise.all(Array.from({ length: concurrency }, loadFromQueue));
  return { ids, experiments: known.size + missing.length };
}

async function knownSubjects(client: Client): Promise<SubjectIds> {
  const lists = await Promise.all(cohorts.map(({ label }) => client.listCohortSubjects({ params: { label } })));
  return new Map(lists.flatMap((list) => list.subjects.map(({ label, id }) => [label, id] as const)));
}

async function loadSubject(client: Client, subject: DemoSubject): Promise<number> {
  const { label, cohort: cohort_label, dateOfBirth: date_of_birth, externalId: external_id } = subject;
  const { id } = await client.createSubject({ body: { label, cohort_label, date_of_birth } });
  await client.setSubjectExternalId({ params: { id, system_name: 'XNAT' }, body: { external_id } });
  return id;
}

export async function loadExperiment(client: Client, ids: SubjectIds, experiment: DemoExperiment): Promise<void> {
  const { label, subject, scandate, state, variables = {} } = experiment;
  const subject_id = ids.get(subject);
  if (subject_id === undefined) return;
  const body = { label, subject_id, scandate, workflow_label: workflow };
  const { id } = await client.createExperiment({ body });
  const external_id = `XNAT_E${String(id).padStart(5, '0')}`;
  await client.setExperimentExternalId({ params: { id, system_name: 'XNAT' }, body: { external_id } });
  if (state === undefined) return loadScans(client, id);
  const reason = 'Imported from the spreadsheet';
  await client.placeExperiment({ params: { id }, body: { state, reason } });
  for (const [name, value] of Object.entries(variables))
    await client.setExperimentVariable({ params: { id, name }, body: { value, reason } });
}

async function loadScans(client: Client, experiment_id: number): Promise<void> {
  for (const { protocol: scantype_protocol } of scantypes) {
    await client.createScan({ body: { experiment_id, scantype_protocol } });
  }
}
