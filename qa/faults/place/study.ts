/** The study that is moved about, made over HTTP before any fault. */
import { create } from '../drive/requests.ts';
import type { Place } from './place.ts';
import { workflowLabel, workflowOf } from './workflow.ts';

const atOnce = 8;

/** Answers the ids of the experiments. */
export async function createStudy({ servers, receiver, logs }: Place, experiments: number): Promise<number[]> {
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
