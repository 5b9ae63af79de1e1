/** The events of the server's event stream. */
import type { Client } from '@milepost/api';

type Stream = Awaited<ReturnType<Client['listEvents']>>;

export type LiveMessage = Stream extends AsyncGenerator<infer Message> ? Message : never;
export type LiveEvent = LiveMessage['data'];

const kinds: ReadonlySet<string> = new Set(['updateExperiment', 'updateSubject', 'updateCohort', 'importConfig']);

/**
 * Whether an event can change the parent or label of an object. Such an event names the new parent but not the old one, so
 * any list of experiments or subjects may be out of date.
 */
export const changesParentOrLabel = ({ kind }: Pick<LiveEvent, 'kind'>): boolean => kinds.has(kind);

interface OfExperiment {
  experiment: { id: number };
}

/**
 * Whether an event concerns the experiment of the shown object. Until the first response the experiment is unknown, and the response
 * may be older than the event.
 */
export const concernsShown = (
  { experiment_id: id }: Pick<LiveEvent, 'experiment_id'>,
  shown: OfExperiment | undefined,
): boolean => id !== null && (shown === undefined || shown.experiment.id === id);
