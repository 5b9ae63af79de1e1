/** The plan of an import: what is new, changed, gone or back, held against a living workflow made of an earlier file. */
import { describe, expect, it } from 'vitest';
import { definitionOf, planImport, type ImportPlan, type LivingWorkflow } from './plan-import.ts';
import { namePlan } from './plan-import-names.ts';
import { readDefinitionFile } from './read-definition-file.ts';

const read = (text: string) => {
  const { definition, faults } = readDefinitionFile(text, '');
  if (!definition) throw new Error(JSON.stringify(faults));
  return definition;
};

const words = (text: string) => text.split(' ').filter((word) => word !== '');

/** `a: x1 y1; b: | a` reads: state a has the callbacks x and y with that setting; state b leads to a. */
function fileOf(short: string, initial = 'a'): string {
  const states = short.split(';').map((part) => {
    const [label = '', rest = ''] = part.split(':');
    const [callbacks = '', transitions = ''] = rest.split('|');
    return {
      label: label.trim(),
      callbacks: words(callbacks).map((word) => ({
        label: word[0],
        function: 'http',
        callback_arguments: { n: word.slice(1) },
        variable_map: { 'a longer name': 'x', b: 'y' },
      })),
      transitions: words(transitions).map((word) => ({ destination: word[0], condition: word.slice(1) && '1 == 1' })),
    };
  });
  return JSON.stringify({ label: 'w', initial, states });
}

/** What the database holds after the import of a file. */
function livingAfter(short: string): LivingWorkflow {
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
      position,
      retired: false,
    })),
    callbacks: states.flatMap((state) =>
      state.callbacks.map((callback, position) => ({
        ...callback,
        // As the database answers jsonb: shorter names first.
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
        retired: false,
      })),
    ),
  };
}

const retire = (living: LivingWorkflow, ...labels: string[]): LivingWorkflow => {
  const gone = new Set(living.states.filter(({ label }) => labels.includes(label)).map(({ id }) => id));
  return {
    ...living,
    states: living.states.map((part) => ({ ...part, retired: gone.has(part.id) })),
    callbacks: living.callbacks.map((part) => ({ ...part, retired: gone.has(part.state_id) })),
    transitions: living.transitions.map((part) => ({
      ...part,
      retired: gone.has(part.source_state_id) || gone.has(part.destination_state_id),
    })),
  };
};

/** `+` added, `~` changed, `-` retired, `^` revived. */
function signs(plan: ImportPlan, living: LivingWorkflow): string[] {
  const named = namePlan(plan, living);
  return [named.states, named.callbacks, named.transitions].flatMap(({ added, changed, retired, revived }) => [
    ...added.map((name) => `+${name}`),
    ...changed.map((name) => `~${name}`),
    ...retired.map((name) => `-${name}`),
    ...revived.map((name) => `^${name}`),
  ]);
}

const planned = async (living: LivingWorkflow, short: string, initial?: string) => {
  const plan = await planImport(living, read(fileOf(short, initial)));
  return [plan.outcome, ...signs(plan, living)];
};

describe('planImport', () => {
  it('adds everything where there is nothing', async () => {
    const plan = await planImport(undefined, read(fileOf('a: x1 | b b1; b')));
    expect(plan.outcome).toBe('new');
    expect(signs(plan, livingAfter('a'))).toEqual(['+a', '+b', '+a / x', '+a -> b', '+a -> b (2)']);
    expect(plan.transitions.added.map(({ position }) => position)).toEqual([0, 1]);
  });

  it.each([
    ['the same file', 'a: x1 y1 | b b1; b', 'a: x1 y1 | b b1; b', ['identical']],
    ['a new state in between', 'a: | b; b', 'a: | b; c; b', ['changed', '+c']],
    ['a new way', 'a: | b; b', 'a: | b b1; b', ['changed', '+a -> b (2)']],
    [
      'a state that is gone, with all that hung on it',
      'a: | b; b: x1 | a',
      'a',
      ['changed', '-b', '-b / x', '-a -> b', '-b -> a'],
    ],
    ['another setting of a callback', 'a: x1 y1', 'a: x2 y1', ['changed', '~a / x']],
    ['a callback that is gone: those behind it stay what they are', 'a: x1 y1 z1', 'a: y1 z1', ['changed', '-a / x']],
    [
      'a callback in between: those behind it have another place',
      'a: x1 z1',
      'a: x1 y1 z1',
      ['changed', '+a / y', '~a / z'],
    ],
    ['a new last callback', 'a: x1', 'a: x1 y1', ['changed', '+a / y']],
    ['callbacks in another order', 'a: x1 y1', 'a: y1 x1', ['changed', '~a / x']],
    ['another condition', 'a: | b; b', 'a: | b1; b', ['changed', '~a -> b']],
    ['the second of a pair gone', 'a: | b b1; b', 'a: | b; b', ['changed', '-a -> b (2)']],
    [
      'the first of a pair gone: the second takes its number',
      'a: | b b1; b',
      'a: | b1; b',
      ['changed', '~a -> b', '-a -> b (2)'],
    ],
    ['ways tried in another order', 'a: | b c; b; c', 'a: | c b; b; c', ['changed', '~a -> c', '~a -> b']],
    ['a new way before another', 'a: | c; b; c', 'a: | b c; b; c', ['changed', '+a -> b']],
    ['states in another order', 'a; b; c', 'a; c; b', ['changed', '~c', '~b']],
    ['a renamed state', 'a: | b; b', 'a: | c; c', ['changed', '+c', '-b', '+a -> c', '-a -> b']],
  ])('of %s', async (_what, before, after, signed) => {
    expect(await planned(livingAfter(before), after)).toEqual(signed);
  });

  it('of another start only is a change', async () => {
    expect(await planned(livingAfter('a: | b; b: | a'), 'a: | b; b: | a', 'b')).toEqual(['changed']);
  });

  it('revives what returns, and what hung on it', async () => {
    const living = retire(livingAfter('a: | b; b: x1 | a'), 'b');
    expect(await planned(living, 'a')).toEqual(['identical']);
    expect(await planned(living, 'a: | b; b: x2 | a')).toEqual(['changed', '^b', '^b / x', '^a -> b', '^b -> a']);
    expect(await planned(living, 'a; b')).toEqual(['changed', '^b']);
  });

  it('reads the living workflow back as the file it came from', () => {
    const short = 'a: x1 y2 | b b1 c; b: | a; c';
    expect(definitionOf(livingAfter(short))).toEqual(read(fileOf(short)));
  });
});
