/**
 * The events that change a page of the matrix: those of its experiments and subjects, and those that add subjects to
 * the cohort or rename them: pages are in the order of labels, which the events do not name.
 */
import type { BodyOf, Touches } from '../../api/operation-query.ts';

type Page = BodyOf<'getCohortMatrix'>;

const shows = (page: Page | undefined, subjectId: number | undefined, experimentId: number | null) =>
  page?.subjects.some(
    ({ id, experiments }) => id === subjectId || experiments.some((experiment) => experiment.id === experimentId),
  ) === true;

export const touchesMatrix =
  (cohortId: number, isFiltered = false): Touches =>
  ({ kind, object_kind, object_id, cohort_id, experiment_id, data }, shown) => {
    const page = shown as Page | undefined;
    // An import may rename states; an update may assign an experiment to another subject.
    if (object_kind === 'workflow' || kind === 'updateExperiment') return true;
    const id = object_kind === 'subject' ? object_id : data['subject_id'];
    const subjectId = typeof id === 'number' ? id : undefined;
    if (shows(page, subjectId, experiment_id)) return true;
    // A move can bring a subject into the filter, and the event names only the experiment.
    return cohort_id === cohortId && (isFiltered || object_kind === 'subject') && 'later';
  };
