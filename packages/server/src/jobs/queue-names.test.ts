import { expect, it } from 'vitest';
import { pulledQueue, queueOf, shownQueue } from './queue-names.ts';

it.each([
  ['http', {}, 'callbacks'],
  ['wait', { queue: 'mine' }, 'callbacks'],
  ['worker', { queue: 'segmentation' }, 'pull/segmentation'],
  ['worker', {}, 'pull/worker'],
  ['worker', { queue: 7 }, 'pull/worker'],
  ['fastr', { queue: 'other' }, 'pull/fastr'],
])('queueOf sends jobs of the function %s with the arguments %j to the queue %s', (name, given, queue) => {
  expect(queueOf(name, given)).toBe(queue);
});

it('pulledQueue returns a different queue for every name, whatever its characters', () => {
  const names = ['a b', 'a.20b', 'a/b', 'a.2fb', 'ä', 'a.', 'A b', '.c3.a4'];
  expect(new Set(names.map(pulledQueue)).size).toBe(names.length);
  for (const name of names) expect(pulledQueue(name)).toMatch(/^pull\/[\w.-]+$/);
  expect(names.map((name) => shownQueue(pulledQueue(name)))).toEqual(names);
});
