/** Creates the study over HTTP before the faults start. */
import { create } from '../drive/requests.ts';
import type { Testbed } from './testbed.ts';
import { workflowLabel, workflowOf } from './workflow.ts';

const atOnce = 8;

/** Returns the ids of the experiments. */
export async function createStudy({ servers, receiver, logs }: Testbed, experiments: number): Promise<number[]> {
  const baseUrl = servers[0]?.current().baseUrl ?? '';
  const post = (path: string, body: object) => create(baseUrl, path, body);
  await post('/service/config/import-workflow', { workflow_definition: workflowOf(receiver.origin) });
  await post('/cohorts', { label: 'faults' });
  const subject = await post('/subjects', { label: 'one', cohort_label: 'faults' });
  const createOne = async (number: number): Promise<number> => {
    const wanted = { label: `experiment ${number}`, subject_id: subject.id, workflow_label: workflowLabel };
    const { id } = await post('/experiments', wanted);
    await logs.driver.append({ kind: 'created', experiment: id });
    return id;
  };
  const ids: number[] = [];
  while (ids.length < experiments) {
    const some = Array.from(
      { length: Math.min(atOnce, experiments - ids.length) },
      (_, index) => ids.length + index + 1,
    );
    ids.push(...(await Promise.all(some.map(createOne))));
  }
  return ids;
}
