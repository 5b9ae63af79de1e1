import { expect, it } from 'vitest';
import { workflowsOf } from './workflows-of-states.ts';

const look = (id: number, workflow_id: number) => ({
  id,
  workflow_id,
  label: '',
  title: '',
  colour: null,
  kind: 'open' as const,
});

it('names each workflow of the states once, and leaves out unknown states', () => {
  const looks = { states: [look(1, 7), look(2, 7), look(3, 4), look(4, 5)] };
  expect(workflowsOf([{ id: 1 }, { id: 2 }, { id: 3 }, { id: 9 }], looks)).toEqual([4, 7]);
});
