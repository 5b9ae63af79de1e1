/** Rows of the experiment table (docs/decisions/0023). */
import type { ExperimentRow, experimentRowOperations } from '@milepost/api';
import type { Static } from 'typebox';
import type { Db } from '../../database/connection.ts';
import type { Handlers } from '../../http/call.ts';
import { everything, wants, type Fields } from '../../http/field-mask.ts';
import type { Links } from '../../links.ts';
import * as rows from '../../store/screens/experiment-rows.ts';
import { listExperimentRowIds } from '../../store/screens/experiment-row-ids.ts';
import { screenPage } from '../../store/screens/screen-page.ts';
import { groupBy } from '../group-by.ts';
import { requireNamedObjects } from '../named-filters.ts';

const defaultLimit = 100;

export const experimentRowHandlers: Handlers<typeof experimentRowOperations> = {
  async listExperimentRows(call) {
    const {
      database: { db },
      account,
      query,
      links,
    } = call;
    const { workflow_id, state_id, cohort_id, subject_id, label, incident, status, ...page } = query;
    const ids = { workflowId: workflow_id, stateId: state_id, cohortId: cohort_id, subjectId: subject_id };
    const filter = { ...ids, label, incident, status };
    await requireNamedObjects(call, {
      workflow_id: { kind: 'workflow', id: workflow_id },
      state_id: { kind: 'state', id: state_id },
      cohort_id: { kind: 'cohort', id: cohort_id },
      subject_id: { kind: 'subject', id: subject_id },
    });
    const { ids: shown, next } = await listExperimentRowIds(db, account.scope, filter, screenPage(page, defaultLimit));
    return { status: 200, body: { experiments: await readShownRows(db, links, shown) }, next };
  },
};

/** In the order of the ids. Incidents and executions are only read if the mask of a row includes them. */
export async function readShownRows(
  db: Db,
  links: Links,
  ids: readonly number[],
  fields: Fields = everything,
): Promise<Row[]> {
  const found = await rows.readExperimentRows(db, ids);
  const open = wants(fields, 'incidents') ? await rows.readOpenIncidents(db, ids) : [];
  const incidents = groupBy(open, (row) => row.experiment_id);
  const actions = wants(fields, 'executions') ? found.flatMap(({ action_id: actionId }) => actionId ?? []) : [];
  const executions = groupBy(await rows.readActionExecutions(db, actions), (row) => row.action_id);
  return found.map((row) => ({
    ...showRow(links, row),
    incidents: incidents(row.experiment_id).map(showIncident),
    executions: executions(row.action_id).map(showExecution),
  }));
}

/** The subject, cohort, workflow and state of an experiment. */
export const showContext = (links: Links, row: rows.SurroundingsRow) => ({
  subject: links.ref('subjects', { id: row.subject_id, label: row.subject_label }),
  cohort: links.ref('cohorts', { id: row.cohort_id, label: row.cohort_label }),
  workflow: links.ref('workflows', { id: row.workflow_id, label: row.workflow_label }),
  state: links.ref('states', { id: row.state_id, label: row.state_label }),
});

type Row = Static<typeof ExperimentRow>;

const showRow = (links: Links, row: rows.ExperimentTableRow): Omit<Row, 'incidents' | 'executions'> => ({
  ...links.ref('experiments', { id: row.experiment_id, label: row.experiment_label }),
  web_uri: links.webUri('experiments', row.experiment_id),
  scandate: row.scandate,
  ...showContext(links, row),
  withdrawn: row.withdrawn_at,
  entered_at: row.entered_at,
  action_id: row.action_id,
});

const showIncident = ({ experiment_id: _experiment, ...incident }: rows.RowIncident): Row['incidents'][number] =>
  incident;
const showExecution = ({ action_id: _action, ...execution }: rows.RowExecution): Row['executions'][number] => execution;
