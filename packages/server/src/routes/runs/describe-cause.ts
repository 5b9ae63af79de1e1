/** The sentences that describe an incident to a user, and how many of the user's experiments it concerns. */
import { shownQueue } from '../../jobs/queue-names.ts';

export interface Cause {
  /** Null if the incident belongs to an experiment. */
  queue: string | null;
  /** Of an incident of a queue, the run that was passed over. Null if nothing was taken. */
  execution_id: number | null;
  /** Of an incident of a queue, the user's experiments that wait. */
  waiting: { experiments: number } | null;
  detail: string;
}

const grouped = new Intl.NumberFormat('en-US');

export function describeCause({ queue, execution_id: passedOver, waiting, detail }: Cause) {
  if (queue === null) return { queue, experiments: 1, detail };
  const name = shownQueue(queue);
  const experiments = waiting?.experiments ?? 1;
  return { queue: name, experiments, detail: `Queue ${name}: ${sentences(passedOver, experiments)}` };
}

function sentences(passedOver: number | null, experiments: number): string {
  if (passedOver !== null) {
    return 'a run waits, although 1,000 younger runs of its workflow and priority were taken. Ask your operator whether a database transaction locks its experiment.';
  }
  const wait =
    experiments === 1 ? '1 of your experiments waits' : `${grouped.format(experiments)} of your experiments wait`;
  return `no run was taken for 15 minutes. ${wait}. Check that a worker takes runs from this queue.`;
}
