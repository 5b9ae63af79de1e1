import { describe, expect, it } from 'vitest';
import { isPlaced, leftAt, staysOf } from './time-in-state.ts';

const action = (sequence: number, kind: 'entry' | 'move' | 'retry' | 'correction') => ({
  sequence,
  kind,
  start_time: `2026-11-15T12:0${sequence}:00Z`,
});

describe('leftAt', () => {
  const [entry, retry, move] = [action(1, 'entry'), action(2, 'retry'), action(3, 'move')];
  const newestFirst = [move, retry, entry];

  it('is the start of the next move, regardless of retries', () => {
    expect(leftAt(newestFirst, entry)).toBe(move.start_time);
  });

  it('is undefined for the current state', () => {
    expect(leftAt(newestFirst, move)).toBeUndefined();
    expect(leftAt([retry, entry], entry)).toBeUndefined();
  });
});

const run = (status: string) => ({ status }) as Parameters<typeof isPlaced>[0]['executions'][number];

describe('isPlaced', () => {
  it('is true for a correction that ran no callbacks', () => {
    expect(isPlaced({ kind: 'correction', executions: [] })).toBe(true);
    expect(isPlaced({ kind: 'correction', executions: [run('finished')] })).toBe(false);
    expect(isPlaced({ kind: 'move', executions: [] })).toBe(false);
  });
});

const entered = (sequence: number, kind: 'entry' | 'move' | 'retry', label: string) => ({
  ...action(sequence, kind),
  id: 100 + sequence,
  to: { id: sequence, label, uri: '' },
});

describe('staysOf', () => {
  const now = new Date('2026-11-15T12:10:00Z');
  const [arrived, retried, checked, archived] = [
    entered(1, 'entry', 'arrived'),
    entered(2, 'retry', 'arrived'),
    entered(3, 'move', 'checked'),
    entered(4, 'move', 'archived'),
  ];
  const brief = (actions: (typeof arrived)[]) => {
    const { stays, isComplete } = staysOf(actions, now);
    return { isComplete, stays: stays.map(({ state, seconds }) => [state.label, seconds]) };
  };

  it('are the times between moves, with the current state until now', () => {
    expect(brief([archived, checked, retried, arrived])).toEqual({
      isComplete: true,
      stays: [
        ['arrived', 120],
        ['checked', 60],
        ['archived', 360],
      ],
    });
  });

  it('are incomplete if the creation is not loaded', () => {
    expect(brief([archived, checked])).toEqual({
      isComplete: false,
      stays: [
        ['checked', 60],
        ['archived', 360],
      ],
    });
  });

  it('stop at a gap between loaded actions', () => {
    expect(brief([archived, checked, arrived])).toEqual(brief([archived, checked]));
  });

  it('are never negative if the clock of the browser is slow', () => {
    expect(staysOf([arrived], new Date('2026-11-15T11:00:00Z')).stays[0]?.seconds).toBe(0);
  });

  it('are empty without actions', () => {
    expect(brief([])).toEqual({ isComplete: false, stays: [] });
  });
});
