import { describe, expect, it } from 'vitest';
import { edgeCard, edgesOf, type Transition } from './edges.ts';
import { pathOf } from './path-of.ts';

const transition = (source_id: number, destination_id: number, by: Transition['by'], condition = ''): Transition => ({
  id: source_id * 100 + destination_id,
  source_id,
  destination_id,
  condition,
  by,
  title: null,
});
const edge = (source_id: number, destination_id: number) => ({ source_id, destination_id, points: [] });

describe('edgesOf', () => {
  it('merges transitions between the same states, and marks an edge as taken by a person only if all its transitions are', () => {
    const edges = edgesOf({
      edges: [edge(1, 2), edge(2, 3)],
      transitions: [transition(1, 2, 'person'), transition(1, 2, 'engine', 'a == 1'), transition(2, 3, 'person')],
    });
    expect(edges.map(({ id, byPersonOnly }) => [id, byPersonOnly])).toEqual([
      ['1-2', false],
      ['2-3', true],
    ]);
  });
});

describe('edgeCard', () => {
  it('shows the condition, who moves and the title of each transition', () => {
    const accept = { ...transition(1, 2, 'person'), title: 'Accept' };
    expect(edgeCard('One', 'Two', [transition(1, 2, 'engine', 'a == 1'), accept])).toEqual([
      { as: 'title', text: 'One → Two' },
      { as: 'code', text: 'a == 1' },
      { as: 'text', text: 'The engine moves' },
      { as: 'text', text: 'A user moves · Accept' },
    ]);
  });
});

describe('pathOf', () => {
  it('rounds the corners', () => {
    const points = [
      { x: 0, y: 0 },
      { x: 100, y: 0 },
      { x: 100, y: 50 },
    ];
    expect(pathOf(points, 10)).toBe('M0 0L90 0Q100 0 100 10L100 50');
  });

  it('makes corners smaller if there is little space', () => {
    const points = [
      { x: 0, y: 0 },
      { x: 4, y: 0 },
      { x: 4, y: 50 },
    ];
    expect(pathOf(points, 10)).toBe('M0 0L2 0Q4 0 4 10L4 50');
  });
});
