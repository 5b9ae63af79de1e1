/** No callback that was running during an outage of the database started again. */
import type { Checker } from './evidence.ts';

/** Only the long runs are commands. They start before an outage and end after it. */
export const runsSurviveOutages: Checker = ({ executions }) =>
  executions
    .filter((one) => one.function === 'command' && (one.attempt !== 1 || one.result !== 'success'))
    .map(({ id, attempt, result }) => `Execution ${id} has ${attempt} attempts and the result ${result}.`);
