/**
 * Random walks through random workflows. After every command, the engine must agree with a model of its rules. WALKS and
 * WALKS_SEED set the number and the seed. `npm run walks -- 5000 42` runs more walks.
 */
import { readdirSync, readFileSync } from 'node:fs';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { exceptions } from './drive/exceptions.ts';
import { openLane, type Lane } from './drive/lane.ts';
import { rareCases, walksForAllCases } from './rare-cases.ts';
import { runWalks, seed } from './run-walks.ts';

const count = Number(process.env['WALKS'] ?? walksForAllCases);
const shrinks = process.env['WALKS_SHRINK'] !== 'no';
const laneCount = 2;

let lanes: Lane[];
beforeAll(async () => {
  lanes = await Promise.all(Array.from({ length: laneCount }, openLane));
});
afterAll(() => Promise.all(lanes.map((lane) => lane.stop())));

const inLines = (cases: ReadonlyMap<string, number>) =>
  [...cases]
    .map(([what, times]) => `${what}: ${times}`)
    .toSorted()
    .join('\n');

it(
  'the engine agrees with the model of its rules on every walk',
  async () => {
    console.log(`walks: ${count}, seed: ${seed}`);
    for (const { what } of exceptions) console.log(`excluded: ${what}`);
    const { walks, commands, cases, failure } = await runWalks(lanes, { count, seed, shrinks });
    console.log(`${walks} walks with ${commands} commands`);
    console.log(inLines(cases));
    expect(failure === undefined ? '' : `in walk ${walks}; walks: ${count}, seed: ${seed}\n${failure}`).toBe('');
    const required = count >= walksForAllCases ? rareCases : [];
    expect(required.filter((what) => !cases.has(what))).toEqual([]);
  },
  // Each walk has a limit of its own.
  0,
);

it('the model does not import from the server', () => {
  const folder = new URL('./model/', import.meta.url);
  const imports = readdirSync(folder).flatMap((file) =>
    [...readFileSync(new URL(file, folder), 'utf8').matchAll(/from '(.*)'/g)].map(([, path]) => path),
  );
  expect(imports.length).toBeGreaterThan(10);
  expect(imports.filter((path) => !/^(?:\.\/[\w-]+\.ts|node:util)$/.test(path ?? ''))).toEqual([]);
});
