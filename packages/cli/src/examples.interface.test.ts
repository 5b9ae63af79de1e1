/** Runs every example of the help against a real server, in the order of the help. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createShell, interrupt, type Shell } from '../testing/run-milepost.ts';
import { brainMri, startStudy, type Study } from '../testing/study.ts';
import { testPassword } from '../../server/testing/server.ts';
import { clientGroups, withCompletion } from './groups.ts';

let study: Study;
let shell: Shell;
beforeAll(async () => {
  study = await startStudy();
  shell = await createShell();
  await shell.write('password', `${testPassword}\n`);
  await shell.write('token', `${study.environment.MILEPOST_TOKEN}\n`);
  await shell.write('visits.csv', 'subject,visit\nMC-0044,baseline\nMC-0045,baseline\n');
  await shell.write('study.yaml', 'external_systems: [{system_name: XNAT, url: "https://xnat.example.org"}]\n');
  await shell.write('brain-mri.yaml', brainMri.replace('{label: done}', '{label: done, freetext: Complete}'));
});
afterAll(async () => {
  await study.stop();
  await shell.remove();
});

const commands = (await Promise.all(withCompletion(clientGroups).map((group) => group.load()))).flat();

/** These commands write the file of contexts, so they do not get the token from the environment. */
const ownContext = /^(?:login|logout|context)/;
/** A test of its own types the password in a terminal. */
const inTerminal = 'milepost login https://milepost.example.org';

/** Prepares the study for the examples of a command. Those of `bulk pause` and `bulk resume` get the id of an operation. */
const prepare: Readonly<Record<string, () => Promise<number | void>>> = {
  'experiment watch': () => study.move('processed'),
  'bulk move': () => study.move('arrived'),
  'bulk pause': () => study.startBulkNote(),
  'bulk resume': () => study.startBulkNote({ isPaused: true }),
};

/** Changes the state until the command has ended. */
async function moveUntil(ended: Promise<unknown>): Promise<void> {
  const work = { isOver: false };
  void ended.finally(() => (work.isOver = true));
  while (!work.isOver) for (const state of ['arrived', 'processed']) await study.move(state);
}

async function runExample(path: string, example: string) {
  const operation = await prepare[path]?.();
  const { origin } = new URL(study.server.origin);
  const line = (operation === undefined ? example : example.replace('2', String(operation)))
    .replaceAll('https://milepost.example.org', origin)
    .replaceAll(' milepost.example.org', ` ${origin.slice(7)}`);
  const child = shell.start(line, ownContext.test(path) ? {} : study.environment);
  const endless = /(?:Following|Waiting for runs)/;
  if (example.includes('--count')) await moveUntil(child.outcome);
  else if (path === 'events' || example.includes('--parallel')) {
    child.stderr?.on('data', (text) => endless.test(String(text)) && interrupt(child));
    const { stderr, code } = await child.outcome;
    return { stderr, stdout: stderr, code: code === null || code === 130 ? 0 : code };
  }
  return child.outcome;
}

const cases = commands.flatMap(({ path, examples }) => examples.map((example) => ({ path, example })));
/** Signing out comes last, because later commands could use the context. */
const ordered = cases.toSorted((a, b) => Number(a.path === 'logout') - Number(b.path === 'logout'));

describe('the examples of', () => {
  it.each(ordered.filter(({ example }) => example !== inTerminal))('$path: $example', async ({ path, example }) => {
    const { stdout, stderr, code } = await runExample(path, example);
    expect({ code, stderr: code === 0 ? '' : stderr }).toEqual({ code: 0, stderr: '' });
    if (!example.startsWith('eval')) expect(stdout + stderr).not.toBe('');
  });
});

describe('every command', () => {
  it.each(commands)('$path has an example that begins with its name', ({ path, examples }) => {
    expect(examples.length).toBeGreaterThan(0);
    for (const example of examples) expect(example).toContain(`milepost ${path}`);
  });
});
