/** Runs the commands of docs/how-to/write-a-workflow.md with the files of the page. */
import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { startTestServer, testPassword, type TestServer } from '../../server/testing/server.ts';
import { createShell, type Shell } from '../testing/run-milepost.ts';

const page = readFileSync(new URL('../../../docs/how-to/write-a-workflow.md', import.meta.url), 'utf8');
const blocks = (language: string) =>
  [...page.matchAll(new RegExp(`^\\x60{3}${language}\\n(.*?)^\\x60{3}$`, 'gms'))].map(([, text = '']) => text);
const [workflow = '', configuration = ''] = blocks('yaml').slice(-2);
const commands = blocks('sh').flatMap((block) => block.trim().split('\n'));

let server: TestServer;
let shell: Shell;
beforeAll(async () => {
  server = await startTestServer();
  await server.addUser('amina', ['admin']);
  shell = await createShell();
  await shell.write('knee_mri.yaml', workflow);
  await shell.write('study.yaml', configuration);
  await shell.write('password', testPassword);
});
afterAll(async () => {
  await server.stop();
  await shell.remove();
});

/** Instead of the answers in a terminal. */
const answers = [
  [/ login /, ' --password-stdin < password'],
  [/ config apply /, ' --yes --password-stdin < password'],
  [/ workflow apply /, ' --yes'],
] as const;

it('the guide to a workflow ends with an experiment whose callback runs', async () => {
  let stdout = '';
  for (const command of commands) {
    const answer = answers.find(([asking]) => asking.test(command))?.[1] ?? '';
    const outcome = await shell.run(`${command.replace('https://milepost.example.org', server.origin)}${answer}`);
    expect(outcome.code, `${command}: ${outcome.stderr}`).toBe(0);
    stdout = outcome.stdout;
  }
  expect(stdout).toContain('K-001-baseline is in arrived.');
  const { stdout: runs } = await shell.run('milepost run list --experiment K-001-baseline --fields callback');
  expect(runs).toBe('CALLBACK\nprotocol\n');
});
