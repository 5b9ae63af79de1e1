import { describe, expect, it } from 'vitest';
import type { InsightState, WeekOfMoves } from '../../store/insights/read-figures.ts';
import { trafficOf } from './flow.ts';

const state = (id: number): InsightState => ({
  id,
  label: `s${id}`,
  is_retired: false,
  is_final: false,
  waits_for_decision: false,
});
const moved = (week: string, source_id: number | null, destination_id: number, moves: number): WeekOfMoves => ({
  week,
  source_id,
  destination_id,
  moves,
  stayed_ms: 0,
});

/** In the order of the definition, which is not that of the ids. */
const states = [state(3), state(1), state(2)];

const rows = (moves: WeekOfMoves[]) =>
  trafficOf({ moves }, states).map(({ source, destination, moves: total }) => [source.id, destination.id, total]);

describe('trafficOf', () => {
  it('adds the weeks, keeps the two directions apart, and follows the order of the states', () => {
    const moves = [
      moved('2026-11-02', 1, 2, 4),
      moved('2026-11-09', 1, 2, 3),
      moved('2026-11-09', 2, 1, 1),
      moved('2026-11-09', 3, 1, 9),
    ];
    expect(rows(moves)).toEqual([
      [3, 1, 9],
      [1, 2, 7],
      [2, 1, 1],
    ]);
  });

  it('leaves out arrivals', () => expect(rows([moved('2026-11-09', null, 3, 5)])).toEqual([]));
});
