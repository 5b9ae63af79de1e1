/** The study that is moved about, made over HTTP before any fault. */
import { send } from '../drive/requests.ts';
import type { Place } from './place.ts';
import { workflowLabel, workflowOf } from './workflow.ts';

/** Answers the ids of the experiments. */
export async function createStudy({ servers, receiver, logs }: Place, experiments: number): Promise<number[]> {
  const baseUrl = servers[0]?.current().baseUrl ?? '';
  const post = async (path: string, body: object) => {
    const answer = await send(baseUrl, { method: 'POST', path, body });
    if (answer.outcome !== 'ok') throw new Error(`${path}: ${answer.status} ${JSON.stringify(answer.body)}`);
    return answer.body;
  };
  await post('/service/config/import-workflow', { workflow_definition: workflowOf(receiver.origin) });
  await post('/cohorts', { label: 'faults' });
  const subject = await post('/subjects', { label: 'one', cohort_label: 'faults' });
  const ids: number[] = [];
  for (let number = 1; number <= experiments; number++) {
    const wanted = { label: `experiment ${number}`, subject_id: subject.id, workflow_label: workflowLabel };
    const { id } = await post('/experiments', wanted);
    ids.push(id);
    await logs.driver.append({ kind: 'created', experiment: id });
  }
  return ids;
}
