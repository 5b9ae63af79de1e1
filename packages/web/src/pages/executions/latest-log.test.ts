import { describe, expect, it } from 'vitest';
import { latestLog } from './latest-log.ts';

const running = { log: 'two lines', ended_at: null };
const ended = { log: 'two lines', ended_at: '2026-11-15T12:00:00Z' };
const latest = { runLog: '', log: 'two lines' };

describe('latestLog', () => {
  it('returns the log of the running attempt', () => {
    expect(latestLog(undefined, '', running)).toEqual(latest);
    expect(latestLog({ runLog: '', log: 'one line' }, '', running)).toEqual(latest);
    expect(latestLog(latest, '', running)).toBe(latest);
  });

  it('keeps the log of a finished attempt until the log of the run contains it', () => {
    expect(latestLog(latest, '', ended)).toBe(latest);
    expect(latestLog(latest, 'two lines', ended)).toBeUndefined();
  });

  it('returns undefined if there is no attempt', () => {
    expect(latestLog(latest, '', undefined)).toBeUndefined();
  });
});
