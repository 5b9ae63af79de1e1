import { describe, expect, it } from 'vitest';
import type { TimelineAction } from '../../status/execution-text.ts';
import { entryText, isUneventful } from './timeline-entry-text.ts';

type Kind = TimelineAction['kind'];
type Actor = TimelineAction['actor'];

const words = (kind: Kind, actor: Partial<Actor>) => {
  const text = entryText({ kind, actor: { kind: 'user', id: null, name: '', ...actor } });
  return `${text.verb} ${text.isName ? text.actor.toUpperCase() : text.actor}`;
};

describe('entryText', () => {
  it.each([
    ['Moved by the engine', 'move', { kind: 'engine' }],
    ['Moved by AMINA', 'move', { kind: 'user', name: 'Amina' }],
    ['Moved by a user', 'move', { kind: 'user' }],
    ['Corrected by AMINA', 'correction', { kind: 'user', name: 'Amina' }],
    ['Created by an operator', 'entry', { kind: 'operator' }],
    ['Retried by callback qc', 'retry', { kind: 'execution', name: 'qc' }],
    ['Moved by a callback', 'move', { kind: 'execution' }],
  ] as const)('is %j', (text, kind, actor) => {
    expect(words(kind, actor)).toBe(text);
  });
});

const run = { status: 'finished', result: 'success', attempt: 1, next_attempt_at: null, last_error: null };
const action = (changes: object, runs: object[] = [run]) =>
  ({ kind: 'move', freetext: '', executions: runs, ...changes }) as TimelineAction;

describe('isUneventful', () => {
  it('is true if all runs succeeded at once, and if there are none', () => {
    expect(isUneventful(action({}))).toBe(true);
    expect(isUneventful(action({}, []))).toBe(true);
  });

  it.each([
    ['a reason', action({ freetext: 'Try again' })],
    ['a correction', action({ kind: 'correction' })],
    ['a failed run', action({}, [run, { ...run, result: 'failed' }])],
    ['a second attempt', action({}, [{ ...run, attempt: 2 }])],
    ['an open run', action({}, [{ ...run, status: 'running' }])],
  ])('is false for %s', (_name, eventful) => {
    expect(isUneventful(eventful)).toBe(false);
  });
});
