/** The graph of a workflow (docs/decisions/0023). */
import type { overviewOperations } from '@milepost/api';
import { ok, type Handlers } from '../../http/call.ts';
import { getWorkflowGraph } from '../../store/workflows/workflow-graph.ts';
import { showLook } from '../workflows/workflows.ts';
import { drawingOf } from '../workflows/drawing-of.ts';

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
};
