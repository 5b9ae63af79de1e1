/**
 * Random walks through random workflows: after every command the engine must be where a model of its law is. They are the same
 * each time unless WALKS and WALKS_SEED say how many and which; `npm run walks -- 5000 42` runs more of them.
 */
import { readdirSync, readFileSync } from 'node:fs';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { exceptions } from './drive/exceptions.ts';
import { openLane, type Lane } from './drive/lane.ts';
import { rareCases, walksThatMeetThem } from './rare-cases.ts';
import { runWalks, seed } from './run-walks.ts';

const count = Number(process.env['WALKS'] ?? walksThatMeetThem);
const shrinks = process.env['WALKS_SHRINK'] !== 'no';
const laneCount = 2;

let lanes: Lane[];
beforeAll(async () => {
  lanes = await Promise.all(Array.from({ length: laneCount }, openLane));
});
afterAll(() => Promise.all(lanes.map((lane) => lane.stop())));

const inLines = (met: ReadonlyMap<string, number>) =>
  [...met]
    .map(([what, times]) => `${what}: ${times}`)
    .toSorted()
    .join('\n');

it(
  'the engine goes where its law says, on every walk',
  async () => {
    console.log(`walks: ${count}, seed: ${seed}`);
    for (const { what } of exceptions) console.log(`left out: ${what}`);
    const { walks, commands, met, failure } = await runWalks(lanes, { count, seed, shrinks });
    console.log(`${walks} walks of ${commands} commands`);
    console.log(inLines(met));
    expect(failure === undefined ? '' : `in walk ${walks}; walks: ${count}, seed: ${seed}\n${failure}`).toBe('');
    const wanted = count >= walksThatMeetThem ? rareCases : [];
    expect(wanted.filter((what) => !met.has(what))).toEqual([]);
  },
  // A bound for a hang: a walk takes a tenth of a second where nothing else runs.
  600_000 + count * 1000,
);

it('the model knows nothing of the server', () => {
  const folder = new URL('./model/', import.meta.url);
  const imports = readdirSync(folder).flatMap((file) =>
    [...readFileSync(new URL(file, folder), 'utf8').matchAll(/from '(.*)'/g)].map(([, path]) => path),
  );
  expect(imports.length).toBeGreaterThan(10);
  expect(imports.filter((path) => !/^(?:\.\/[\w-]+\.ts|node:util)$/.test(path ?? ''))).toEqual([]);
});
