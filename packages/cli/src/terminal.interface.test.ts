/** In a terminal, which `script` provides: questions, colours and progress. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { testPassword } from '../../server/testing/server.ts';
import { createShell, type Shell } from '../testing/run-milepost.ts';
import { startStudy, type Study } from '../testing/study.ts';

let study: Study;
let shell: Shell;
beforeAll(async () => {
  study = await startStudy();
  shell = await createShell();
});
afterAll(async () => {
  await study.stop();
  await shell.remove();
});

/** Types each answer once its question is shown. */
function openAnswering(command: string, answers: Readonly<Record<string, string>>) {
  const child = shell.openTerminal(command, study.environment);
  const open = new Map(Object.entries(answers));
  child.stdout.on('data', (chunk) => {
    for (const [question, answer] of open)
      if (String(chunk).includes(question)) {
        open.delete(question);
        child.stdin.write(answer);
      }
  });
  return child.outcome;
}

const outputOf = async (command: string, environment: Record<string, string> = study.environment) =>
  (await shell.openTerminal(command, environment).outcome).stdout;

describe('in a terminal', () => {
  it('the headings of a table are bold, unless NO_COLOR is set', async () => {
    const bold = '\u001B[1m';
    expect(await outputOf('milepost cohort list')).toContain(bold);
    expect(await outputOf('milepost cohort list', { ...study.environment, NO_COLOR: '1' })).not.toContain(bold);
    expect((await shell.run('milepost cohort list', study.environment)).stdout).not.toContain('\u001B');
  });

  it('cuts long values, except in the last column', async () => {
    const command = 'milepost token list --fields permissions,id,permissions';
    expect(await outputOf(command)).toMatch(/^[\w;]{59}…  \d+ {2,}[\w;]{60,}\r?$/m);
    expect((await shell.run(command, study.environment)).stdout).not.toContain('…');
  });

  it('cuts values of 61 characters, but not of 60', async () => {
    for (const length of [60, 61]) await shell.run(`milepost cohort create ${'x'.repeat(length)}`, study.environment);
    const printed = await outputOf('milepost cohort list --fields label,id');
    expect(printed).toMatch(/^x{60}  \d+\r?$/m);
    expect(printed).toMatch(/^x{59}…  \d+\r?$/m);
  });

  it('login asks for the password and does not show it', async () => {
    const child = shell.openTerminal(`milepost login ${study.server.origin} --user amina`);
    child.stdout.on('data', (text) => {
      if (String(text).endsWith('Password: ')) child.stdin.write(`${testPassword}\r`);
    });
    const { stdout, code } = await child.outcome;
    expect({ stdout, code }).toMatchObject({ code: 0, stdout: expect.stringContaining('Signed in as amina') });
    expect(stdout).not.toContain(testPassword);
  });

  it('a change of many experiments asks first, and changes nothing without a yes', async () => {
    const command = 'milepost bulk move processed --query state:arrived';
    const { stdout } = await openAnswering(command, { 'Reason: ': 'Checked by hand\r', '[y/N] ': '\r' });
    expect(stdout).toContain('1 of 1 experiment would change.');
    expect(stdout).toContain('Change 1 experiment? [y/N]');
    expect(stdout).toContain('Not confirmed. Nothing was changed.');
  });

  it('a change of many experiments stores the reason that it asks for', async () => {
    const command = 'milepost bulk note "Repeat the T1" --query state:arrived --yes';
    expect((await openAnswering(command, { 'Reason: ': 'The T1 is blurred\r' })).code).toBe(0);
    const { stdout } = await shell.run('milepost bulk list --limit 1 -o json', study.environment);
    expect(JSON.parse(stdout)).toMatchObject([{ status: 'finished', reason: 'The T1 is blurred' }]);
  });

  it('a change of many experiments needs a reason', async () => {
    const command = 'milepost bulk note "Repeat the T1" --query state:arrived --yes';
    const { stdout, code } = await openAnswering(command, { 'Reason: ': '\r' });
    expect({ stdout, code }).toEqual({
      stdout: expect.stringContaining('A reason is required. Nothing was changed.'),
      code: 1,
    });
  });

  it.each([
    ['the confirmation', '--reason Checked', '[y/N] '],
    ['the reason', '', 'Reason: '],
  ])('Ctrl-C at the question for %s changes nothing and exits with 130', async (_, option, question) => {
    const command = `milepost bulk move processed --query state:arrived ${option}`;
    const { stdout, code } = await openAnswering(command, { [question]: '\u0003' });
    expect({ stdout, code }).toEqual({
      stdout: expect.stringContaining('Interrupted. Nothing was changed.'),
      code: 130,
    });
  });
});
