/** The plan of an import, compared with the workflow of an earlier file. */
import { describe, expect, it } from 'vitest';
import { definitionOf, planImport, type ImportPlan, type CurrentWorkflow } from './plan-import.ts';
import { namePlan } from './name-plan.ts';
import { readDefinitionFile } from '../file/read-definition-file.ts';

const read = (text: string) => {
  const { definition, faults } = readDefinitionFile(text, '');
  if (!definition) throw new Error(JSON.stringify(faults));
  return definition;
};

const words = (text: string) => text.split(' ').filter((word) => word !== '');

/** `a: x1 y1; b: | a` means that state a has the callbacks x and y with the setting 1, and state b leads to a. */
function fileOf(short: string, initial = 'a'): string {
  const states = short.split(';').map((part) => {
    const [label = '', rest = ''] = part.split(':');
    const [callbacks = '', transitions = ''] = rest.split('|');
    return {
      label: label.trim(),
      callbacks: words(callbacks).map((word) => ({
        label: word[0],
        function: 'http',
        callback_arguments: { url: word.slice(1) },
        variable_map: { 'a longer name': 'x', b: 'y' },
      })),
      transitions: words(transitions).map((word) => ({ destination: word[0], condition: word.slice(1) && '1 == 1' })),
    };
  });
  return JSON.stringify({ label: 'w', initial, states });
}

/** The workflow in the database after the import of a file. */
function currentAfter(short: string): CurrentWorkflow {
  const { label, states } = read(fileOf(short));
  const ids = new Map(states.map((state, index) => [state.label, index + 1]));
  const idOf = (name: string) => ids.get(name) ?? 0;
  let next = 0;
  return {
    id: 1,
    label,
    revision: 1,
    initial_state_id: 1,
    states: states.map(({ freetext, ...state }, position) => ({
      id: idOf(state.label),
      label: state.label,
      freetext,
      title: state.title ?? null,
      colour: state.colour ?? null,
      outcome: state.outcome ?? null,
      decision: state.decision ?? null,
      position,
      retired: false,
    })),
    callbacks: states.flatMap((state) =>
      state.callbacks.map((callback, position) => ({
        ...callback,
        // The database returns jsonb with shorter names first.
        variable_map: { b: '/y', 'a longer name': '/x' },
        id: ++next,
        state_id: idOf(state.label),
        version: 1,
        position,
        retired: false,
      })),
    ),
    transitions: states.flatMap((state) =>
      state.transitions.map((transition, position) => ({
        id: ++next,
        source_state_id: idOf(state.label),
        destination_state_id: idOf(transition.destination),
        ordinal:
          1 +
          state.transitions.slice(0, position).filter((other) => other.destination === transition.destination).length,
        position,
        condition: transition.condition,
        by: transition.by,
        title: transition.title ?? null,
        retired: false,
      })),
    ),
  };
}

const retire = (current: CurrentWorkflow, ...labels: string[]): CurrentWorkflow => {
  const gone = new Set(current.states.filter(({ label }) => labels.includes(label)).map(({ id }) => id));
  return {
    ...current,
    states: current.states.map((part) => ({ ...part, retired: gone.has(part.id) })),
    callbacks: current.callbacks.map((part) => ({ ...part, retired: gone.has(part.state_id) })),
    transitions: current.transitions.map((part) => ({
      ...part,
      retired: gone.has(part.source_state_id) || gone.has(part.destination_state_id),
    })),
  };
};

/** `+` added, `~` changed, `-` retired, `^` revived. */
function signs(plan: ImportPlan, current: CurrentWorkflow): string[] {
  const named = namePlan(plan, current);
  return [named.states, named.callbacks, named.transitions].flatMap(({ added, changed, retired, revived }) => [
    ...added.map((name) => `+${name}`),
    ...changed.map((name) => `~${name}`),
    ...retired.map((name) => `-${name}`),
    ...revived.map((name) => `^${name}`),
  ]);
}

const planned = async (current: CurrentWorkflow, short: string, initial?: string) => {
  const plan = await planImport(current, read(fileOf(short, initial)));
  return [plan.outcome, ...signs(plan, current)];
};

describe('planImport', () => {
  it('adds everything to a new workflow', async () => {
    const plan = await planImport(undefined, read(fileOf('a: x1 | b b1; b')));
    expect(plan.outcome).toBe('new');
    expect(signs(plan, currentAfter('a'))).toEqual(['+a', '+b', '+a / x', '+a -> b', '+a -> b (2)']);
    expect(plan.transitions.added.map(({ position }) => position)).toEqual([0, 1]);
  });

  it.each([
    ['no change for the same file', 'a: x1 y1 | b b1; b', 'a: x1 y1 | b b1; b', ['identical']],
    ['a new state between others', 'a: | b; b', 'a: | b; c; b', ['changed', '+c']],
    ['a new transition', 'a: | b; b', 'a: | b b1; b', ['changed', '+a -> b (2)']],
    [
      'a removed state, with its callbacks and transitions',
      'a: | b; b: x1 | a',
      'a',
      ['changed', '-b', '-b / x', '-a -> b', '-b -> a'],
    ],
    ['a changed setting of a callback', 'a: x1 y1', 'a: x2 y1', ['changed', '~a / x']],
    ['a removed callback, which leaves later ones unchanged', 'a: x1 y1 z1', 'a: y1 z1', ['changed', '-a / x']],
    ['an inserted callback, which moves later ones', 'a: x1 z1', 'a: x1 y1 z1', ['changed', '+a / y', '~a / z']],
    ['a new last callback', 'a: x1', 'a: x1 y1', ['changed', '+a / y']],
    ['reordered callbacks', 'a: x1 y1', 'a: y1 x1', ['changed', '~a / x']],
    ['a changed condition', 'a: | b; b', 'a: | b1; b', ['changed', '~a -> b']],
    ['a removed second transition of a pair', 'a: | b b1; b', 'a: | b; b', ['changed', '-a -> b (2)']],
    [
      'a removed first transition of a pair, whose number passes to the second transition',
      'a: | b b1; b',
      'a: | b1; b',
      ['changed', '~a -> b', '-a -> b (2)'],
    ],
    ['reordered transitions', 'a: | b c; b; c', 'a: | c b; b; c', ['changed', '~a -> c', '~a -> b']],
    ['a new transition before another', 'a: | c; b; c', 'a: | b c; b; c', ['changed', '+a -> b']],
    ['reordered states', 'a; b; c', 'a; c; b', ['changed', '~c', '~b']],
    ['a renamed state', 'a: | b; b', 'a: | c; c', ['changed', '+c', '-b', '+a -> c', '-a -> b']],
  ])('plans %s', async (_what, before, after, signed) => {
    expect(await planned(currentAfter(before), after)).toEqual(signed);
  });

  it('plans a change if only the initial state differs', async () => {
    expect(await planned(currentAfter('a: | b; b: | a'), 'a: | b; b: | a', 'b')).toEqual(['changed']);
  });

  it('revives a retired state, with its callbacks and transitions, if the file contains it again', async () => {
    const current = retire(currentAfter('a: | b; b: x1 | a'), 'b');
    expect(await planned(current, 'a')).toEqual(['identical']);
    expect(await planned(current, 'a: | b; b: x2 | a')).toEqual(['changed', '^b', '^b / x', '^a -> b', '^b -> a']);
    expect(await planned(current, 'a; b')).toEqual(['changed', '^b']);
  });
});

describe('definitionOf', () => {
  it('returns the definition that the current workflow was imported from', () => {
    const short = 'a: x1 y2 | b b1 c; b: | a; c';
    expect(definitionOf(currentAfter(short))).toEqual(read(fileOf(short)));
  });
});
