/** The graph of a workflow and the matrix of a cohort (docs/decisions/0023). */
import type { overviewOperations } from '@milepost/api';
import { ok, type Handlers } from '../../http/call.ts';
import { readMatrixExperiments } from '../../store/screens/cohort-matrix.ts';
import { getCohort } from '../../store/study/cohorts.ts';
import { listSubjects } from '../../store/study/subjects.ts';
import { getWorkflowGraph } from '../../store/workflows/workflow-graph.ts';
import { showLook } from '../workflows/workflows.ts';
import { drawingOf } from '../workflows/drawing-of.ts';
import { groupBy } from '../group-by.ts';
import { withdrawnOf } from '../study/subjects.ts';

const defaultLimit = 50;

export const overviewHandlers: Handlers<typeof overviewOperations> = {
  async getWorkflowGraph({ database, params, links }) {
    const graph = await getWorkflowGraph(database.db, params.id);
    const { boxOf, ...drawing } = drawingOf(graph);
    return ok({
      workflow: links.ref('workflows', graph),
      revision: graph.revision,
      states: graph.states.map((state) => ({
        ...links.ref('states', state),
        freetext: state.freetext,
        ...showLook(state),
        ...boxOf(state.id),
        callbacks: state.callbacks,
      })),
      transitions: graph.transitions,
      ...drawing,
      layout: graph.layout?.revision === graph.revision ? 'drawn' : 'pending',
    });
  },

  async getCohortMatrix({ database, account, params, query, links }) {
    const { id: cohortId } = await getCohort(database.db, account.scope, params);
    const page = { ...query, limit: query.limit ?? defaultLimit };
    const { rows, next } = await listSubjects(database, account.scope, { cohortId }, page);
    const shown = Array.isArray(rows) ? rows : [];
    const read = await readMatrixExperiments(
      database.db,
      shown.map((subject) => subject.id),
    );
    const experiments = groupBy(read, (experiment) => experiment.subject_id);
    const subjects = shown.map((subject) => ({
      ...links.ref('subjects', subject),
      web_uri: links.webUri('subjects', subject.id),
      withdrawn: withdrawnOf(subject),
      experiments: experiments(subject.id).map((row) => ({
        ...links.ref('experiments', row),
        web_uri: links.webUri('experiments', row.id),
        workflow: links.ref('workflows', { id: row.workflow_id, label: row.workflow_label }),
        state: links.ref('states', { id: row.state_id, label: row.state_label }),
        incidents: row.incidents,
      })),
    }));
    return { status: 200, body: { subjects }, next };
  },
};
