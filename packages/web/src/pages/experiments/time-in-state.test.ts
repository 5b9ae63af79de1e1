import { describe, expect, it } from 'vitest';
import { isPlaced, leftAt } from './time-in-state.ts';

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
