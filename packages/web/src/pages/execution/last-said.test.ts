import { describe, expect, it } from 'vitest';
import { lastSaid } from './last-said.ts';

const running = { log: 'two lines', ended_at: null };
const ended = { log: 'two lines', ended_at: '2026-11-15T12:00:00Z' };
const said = { runLog: '', log: 'two lines' };

describe('the log of the running attempt', () => {
  it('is what it has said', () => {
    expect(lastSaid(undefined, '', running)).toEqual(said);
    expect(lastSaid({ runLog: '', log: 'one line' }, '', running)).toEqual(said);
    expect(lastSaid(said, '', running)).toBe(said);
  });

  it('stays when the attempt ends, until the log of the execution has it', () => {
    expect(lastSaid(said, '', ended)).toBe(said);
    expect(lastSaid(said, 'two lines', ended)).toBeUndefined();
  });

  it('is not there where none runs', () => {
    expect(lastSaid(said, '', undefined)).toBeUndefined();
  });
});
