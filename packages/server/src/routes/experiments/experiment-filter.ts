/** The filters of GET /experiments. The list is empty if a filter names nothing. */
import type { experimentOperations } from '@milepost/api';
import type { Call } from '../../http/call.ts';
import type { ExperimentFilter } from '../../store/experiments/experiment-order.ts';
import { withinCohort, type Scope } from '../../store/scope.ts';
import { findCohort } from '../../store/study/cohorts.ts';
import { readStateIds } from '../../store/workflows/workflows.ts';
import { readInteger } from '../../validation/read-integer.ts';
import { readFilterIds } from '../references/filter-ids.ts';
import { stateReference, subjectReference } from '../references/referable.ts';
import { readScandate } from './scandate.ts';

type Filters = Call<typeof experimentOperations.listExperiments>['query'];
type FilterCall = Pick<Call, 'database' | 'account' | 'links'>;

/** The filter, and the part of the caller's scope that it leaves. Undefined if nothing can match. */
export async function readExperimentFilter(
  call: FilterCall,
  { scandate, label, ...named }: Filters,
): Promise<{ scope: Scope; filter: ExperimentFilter } | undefined> {
  const scope = await readScope(call, named.cohort_label);
  const [subjectIds, stateIds] = [await readSubjectIds(call, named.subject_id), await readStates(call, named)];
  if (!scope || subjectIds?.length === 0 || stateIds?.length === 0) return undefined;
  return {
    scope,
    filter: {
      ...(subjectIds && { subjectIds }),
      ...(stateIds && { stateIds }),
      ...(label !== undefined && { label: label.normalize('NFC') }),
      ...(scandate !== undefined && { scandate: scanSpan(scandate) }),
    },
  };
}

async function readScope({ database, account }: FilterCall, cohortLabel?: string): Promise<Scope | undefined> {
  if (cohortLabel === undefined) return account.scope;
  const cohort = await findCohort(database.db, account.scope, { label: cohortLabel.normalize('NFC') });
  return cohort && withinCohort(account.scope, cohort.id);
}

/** The states that both filters allow. A workflow is found by its states, because experiments have no index by workflow. */
async function readStates(
  call: FilterCall,
  { state, workflow_label: workflow }: Pick<Filters, 'state' | 'workflow_label'>,
): Promise<number[] | undefined> {
  const named =
    state === undefined ? undefined : await readFilterIds(call, stateReference, { pointer: '?state', text: state });
  if (workflow === undefined) return named;
  const ofWorkflow = await readStateIds(call.database.db, workflow.normalize('NFC'));
  return named ? named.filter((id) => ofWorkflow.includes(id)) : ofWorkflow;
}

/** The parameter is called an id, so digits are one, even if they are also the label of a subject. */
async function readSubjectIds(call: FilterCall, text: string | undefined): Promise<number[] | undefined> {
  if (text === undefined) return undefined;
  const id = readInteger(text);
  return id === undefined ? readFilterIds(call, subjectReference, { pointer: '?subject_id', text }) : [id];
}

const scanSpan = (scandate: string): NonNullable<ExperimentFilter['scandate']> => ({
  from: readScandate(scandate),
  span: scandate.length > 10 ? '1 millisecond' : '1 day',
});
