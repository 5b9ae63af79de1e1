import { describe, expect, it } from 'vitest';
import { palette } from './state-colour.ts';
import { plainLook, stateLooks, titlesByLabel } from './state-looks.ts';

type Shown = Parameters<typeof stateLooks>[0]['states'][number];
const state = (id: number, more: Partial<Shown> = {}): Shown => ({
  id,
  workflow_id: 1,
  label: `state_${id}`,
  title: `State ${id}`,
  colour: null,
  kind: 'open',
  ...more,
});

describe('stateLooks', () => {
  it('has the title, the outcome of a final state, and whether users decide', () => {
    const looks = stateLooks({
      states: [state(1, { title: 'Arrived' }), state(2, { kind: 'decision' }), state(3, { kind: 'bad' })],
    });
    expect(looks.get(1)).toMatchObject({ title: 'Arrived', outcome: undefined, decides: false });
    expect(looks.get(2)).toMatchObject({ outcome: undefined, decides: true });
    expect(looks.get(3)).toMatchObject({ outcome: 'bad', decides: false, colour: 'var(--fail)' });
  });

  it('gives the states of a workflow different colours, whatever states other workflows have', () => {
    const ids = [1, 1 + palette.length, 1 + 2 * palette.length];
    const own = ids.map((id) => state(id));
    const others = ids.map((id) => state(id + 1000 * palette.length, { workflow_id: 2 }));
    const colours = (states: Shown[]) => ids.map((id) => stateLooks({ states }).get(id)?.colour);
    expect(new Set(colours(own)).size).toBe(3);
    expect(colours([...others, ...own])).toEqual(colours(own));
  });

  it('shows a state that is not loaded under its label, with the colour that it most likely gets', () => {
    const looks = stateLooks({ states: [state(7)] });
    expect(plainLook({ id: 7, label: 'arrived' })).toEqual({ ...looks.get(7), title: 'arrived' });
  });
});

it('knows the title of a label, unless states of several workflows have it with different titles', () => {
  const same = { label: 'qc', title: 'Visual QC' };
  const states = [
    state(1, same),
    state(2, { ...same, workflow_id: 2 }),
    state(3, { label: 'done', title: 'Accepted' }),
  ];
  expect([...titlesByLabel({ states })]).toEqual([
    ['qc', 'Visual QC'],
    ['done', 'Accepted'],
  ]);
  const other = state(4, { label: 'qc', title: 'Quality', workflow_id: 3 });
  for (const all of [
    [...states, other],
    [...states, other, state(5, { label: 'qc', title: 'Quality', workflow_id: 4 })],
  ])
    expect([...titlesByLabel({ states: all }).keys()]).toEqual(['done']);
});
