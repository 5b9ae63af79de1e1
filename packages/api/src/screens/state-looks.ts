/** How pages show the states of all workflows, in one response, so that every page shows a state in the same way. */
import { Type } from 'typebox';
import { defineOperations } from '../operation.ts';
import { signedIn } from '../permission.ts';
import * as v from '../values.ts';
import { outcomes, stateLook } from '../workflows/decisions.ts';

export const stateKinds = ['open', 'decision', ...outcomes] as const;
export type StateKind = (typeof stateKinds)[number];

export const maxStateLooks = 5000;

export const StateLook = v.resource('StateLook', 'How pages show a state.', {
  id: v.Id,
  workflow_id: v.Id,
  label: v.Label,
  title: stateLook.title,
  colour: stateLook.colour,
  kind: v.oneOf(stateKinds, {
    description:
      '`decision`: users decide where experiments go from here. `good`, `bad`, `neutral`: a final state, by its outcome. ' +
      '`open`: any other state.',
  }),
});

export const stateLookOperations = defineOperations({
  getStateLooks: {
    method: 'GET',
    path: '/state_looks',
    summary: 'Read how states are shown',
    description:
      'Returns the label, title, colour and kind of every state. Current states come first, then retired ones, both ordered by id. ' +
      `At most ${maxStateLooks.toLocaleString('en')} are returned.`,
    access: signedIn,
    response: v.closed({ states: Type.Array(StateLook) }),
    statuses: { 200: 'The states.' },
    example: {
      response: {
        states: [
          { id: 9, workflow_id: 1, label: 'visual_qc', title: 'Visual QC', colour: '#d97706', kind: 'decision' },
          { id: 10, workflow_id: 1, label: 'accepted', title: 'Accepted', colour: null, kind: 'good' },
        ],
      },
    },
  },
});
