/**
 * Which events change a page of the matrix: those of an experiment or a subject that it shows, and those of a subject, or
 * of a new experiment of one, whose id falls into its range. In a large cohort much happens on other pages.
 */
import type { BodyOf, Touches } from '../../api/operation-query.ts';
import { isInPage } from '../../table/in-page.ts';

type Page = BodyOf<'getCohortMatrix'>;

const shows = (page: Page | undefined, subjectId: number | undefined, experimentId: number | null) =>
  page?.subjects.some(
    ({ id, experiments }) => id === subjectId || experiments.some((experiment) => experiment.id === experimentId),
  ) === true;

export const touchesMatrix =
  (cohortId: number, range: { after: number | undefined; limit: number }): Touches =>
  ({ kind, object_kind, object_id, cohort_id, experiment_id, data }, shown) => {
    const page = shown as Page | undefined;
    // The names of states come from their workflow; a correction may give an experiment to another subject.
    if (object_kind === 'workflow' || kind === 'updateExperiment') return true;
    const named = object_kind === 'subject' ? object_id : data['subject_id'];
    const subjectId = typeof named === 'number' ? named : undefined;
    if (shows(page, subjectId, experiment_id)) return true;
    return cohort_id === cohortId && subjectId !== undefined && isInPage(subjectId, range, page?.subjects);
  };
