import { describe, expect, it } from 'vitest';
import { edgeCard, edgesOf, type Transition } from './edges.ts';
import { arrowOf, pathOf } from './path-of.ts';

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
      { as: 'text', text: 'Moved by the engine' },
      { as: 'text', text: 'Moved by a person · Accept' },
    ]);
  });

  it('shows the traffic once it is known', () => {
    expect(edgeCard('One', 'Two', [], 312).at(-1)).toEqual({ as: 'text', text: '312 moves in 12 weeks' });
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

describe('arrowOf', () => {
  const points = [
    { x: 0, y: 0 },
    { x: 100, y: 0 },
  ];

  it('ends the line within the head, whose tip is at the end of the edge', () => {
    const { line, head } = arrowOf(points, 1);
    expect(line).toEqual([points[0], { x: 96.5, y: 0 }]);
    expect(head).toBe('M93 -3.15L100 0L93 3.15z');
  });

  it('has a larger head for a wide line, and keeps the line in a short edge', () => {
    expect(arrowOf(points, 3).head).toBe('M89 -4.95L100 0L89 4.95z');
    expect(
      arrowOf(
        [
          { x: 90, y: 0 },
          { x: 100, y: 0 },
        ],
        4,
      ).line.at(-1),
    ).toEqual({ x: 95, y: 0 });
  });
});
