/** A workflow as a graph. */
import { Type } from 'typebox';
import { defineOperations } from '../operation.ts';
import { signedIn } from '../permission.ts';
import * as v from '../values.ts';
import { stateLook, Title } from '../workflows/decisions.ts';

const ref = v.Ref.properties;

const GraphState = v.closed({
  ...ref,
  freetext: v.LongText,
  ...stateLook,
  x: Type.Number({ description: 'The left edge of the box. The graph starts at 0, 0.' }),
  y: Type.Number({ description: 'The top edge of the box.' }),
  width: Type.Number(),
  height: Type.Number(),
  callbacks: Type.Array(v.Label, { description: 'The labels of its callbacks, in the order of the definition.' }),
});

const GraphTransition = v.closed({
  id: v.Id,
  source_id: v.Id,
  destination_id: v.Id,
  condition: Type.String(),
  by: v.oneOf(['person', 'engine', 'both']),
  title: v.nullable(Title),
});

const GraphEdge = v.closed({
  source_id: v.Id,
  destination_id: v.Id,
  points: Type.Array(v.closed({ x: Type.Number(), y: Type.Number() }), {
    description:
      'From the edge of the source to the edge of the destination. The lines between them are horizontal or vertical.',
  }),
});

export const WorkflowGraph = v.resource('WorkflowGraph', 'The graph of a workflow, with states as boxes.', {
  workflow: v.Ref,
  revision: Type.Integer({ minimum: 1 }),
  states: Type.Array(GraphState),
  transitions: Type.Array(GraphTransition),
  edges: Type.Array(GraphEdge, {
    description: 'Transitions between the same two states have one edge. No edge crosses the box of a state.',
  }),
  width: Type.Number({ description: 'The width of the graph.' }),
  height: Type.Number({ description: 'The height of the graph.' }),
  layout: v.oneOf(['drawn', 'pending'], {
    description: '`pending`: the layout of a new revision is not ready, and edges and positions are preliminary.',
  }),
});

const workflow = { id: 1, label: 'brain_mri', uri: '/api/v2/workflows/1' };
const state = { id: 4, label: 'processed', uri: '/api/v2/states/4' };
const arrived = { id: 3, label: 'arrived', uri: '/api/v2/states/3' };
const box = { width: 140, height: 76 };
const plain = { freetext: '', colour: null, outcome: null, decision: null };

export const overviewOperations = defineOperations({
  getWorkflowGraph: {
    method: 'GET',
    path: '/workflows/{id}/graph',
    summary: 'Read the graph of a workflow',
    description: 'The current states with their positions, and the transitions, both in the order of the definition.',
    access: signedIn,
    params: v.ById,
    response: WorkflowGraph,
    statuses: { 200: 'The graph.', 404: 'No workflow has this id.' },
    example: {
      response: {
        workflow,
        revision: 2,
        states: [
          { ...arrived, ...plain, title: 'Arrived', x: 0, y: 0, ...box, callbacks: [] },
          { ...state, ...plain, title: 'Processed', x: 168, y: 0, ...box, callbacks: ['segment'] },
        ],
        transitions: [{ id: 6, source_id: 3, destination_id: 4, condition: '', by: 'both', title: null }],
        edges: [
          {
            source_id: 3,
            destination_id: 4,
            points: [
              { x: 140, y: 38 },
              { x: 168, y: 38 },
            ],
          },
        ],
        width: 308,
        height: 76,
        layout: 'drawn',
      },
    },
  },
});
