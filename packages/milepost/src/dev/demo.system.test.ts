/** `milepost dev --demo`: a study that lives by itself, needs somebody now and then, and goes on at the next start. */
import { createClient, basic, type Client } from '@milepost/api';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createDevFolder, signalGroup, startDev, type DevFolder, type StartedDev } from '../../testing/dev-process.ts';
import { baseline } from '../../../server/src/demo/study.ts';

let folder: DevFolder;
let first: StartedDev;
let login: string;
/** As the coordinator. */
let client: Client;

const wordIn = (said: string, pattern: RegExp) => pattern.exec(said)?.[1] ?? '';
const clientOf = (said: string) =>
  createClient({ baseUrl: `${wordIn(said, /serves at (\S+)/)}/api/v2`, authorization: login });

beforeAll(async () => {
  folder = await createDevFolder();
  first = await startDev(folder.path, /Username: coordinator/, ['--demo']);
  login = basic('coordinator', wordIn(first.said, /coordinator {2}Password: (\S+)/));
  client = clientOf(first.said);
});
afterAll(() => folder.remove());

const labelsIn = async (state: string) =>
  (await client.listExperiments({ query: { state } })).experiments.map(({ label }) => label);

const soon = { interval: 500 };
/** Those that begin at the beginning, in place of being brought over from a list. */
const walking = new Set(baseline.filter(({ state }) => state === undefined).map(({ label }) => label));

const endedByThemselves = async () => (await labelsIn('accepted')).filter((label) => walking.has(label)).length;

/** Tries every one: those that the demo itself has just retried are refused. */
async function retryIncidents(): Promise<number> {
  const { incidents } = await client.listIncidents({ query: { kind: 'failed' } });
  const tries = incidents.map(({ experiment: { id } }) =>
    client.retryExperiment({ params: { id }, body: { reason: 'Worth another try' } }).catch(() => undefined),
  );
  return (await Promise.all(tries)).flatMap((action) => action?.retry_of ?? []).length;
}

describe('the demo', () => {
  it('has experiments on their way, and some that came to the end by themselves', async () => {
    await expect.poll(endedByThemselves, soon).toBeGreaterThan(0);
    const { states } = await client.listWorkflowStates({ params: { workflow_label: 'brain_mri' } });
    expect(states).toHaveLength(15);
    const counts = await Promise.all(states.map(async ({ label }) => (await labelsIn(label)).length));
    expect(counts.filter((count) => count > 0).length).toBeGreaterThanOrEqual(6);
  });

  it('has an incident that can be retried', async () => {
    await expect.poll(retryIncidents, soon).toBeGreaterThan(0);
  });

  it('says nothing but what it is, ends by Ctrl-C, and goes on at the next start', async () => {
    await expect.poll(async () => (await client.listSubjects()).subjects.length, soon).toBe(300);
    const before = (await client.listExperiments()).experiments.length;
    expect(await signalGroup(first.child, 'SIGINT')).toBe(0);
    expect(first.lines().filter((line) => !/^(Milepost|The|This|Worker) /.test(line))).toEqual([]);

    const second = await startDev(folder.path, /Username: coordinator/, ['--demo']);
    // The same password as before, and the administrator's no more.
    expect(login).toBe(basic('coordinator', wordIn(second.said, /coordinator {2}Password: (\S+)/)));
    expect(second.said).not.toContain('Username: admin');
    client = clientOf(second.said);
    await expect.poll(async () => (await client.listExperiments()).experiments.length, soon).toBeGreaterThan(before);
    expect((await client.listSubjects()).subjects).toHaveLength(300);
    expect(await signalGroup(second.child, 'SIGINT')).toBe(0);
  });
});
