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

const outputOf = async (command: string, environment: Record<string, string> = study.environment) =>
  (await shell.openTerminal(command, environment).outcome).stdout;

describe('in a terminal', () => {
  it('the headings of a table are bold, unless NO_COLOR is set', async () => {
    const bold = '\u001B[1m';
    expect(await outputOf('milepost cohort list')).toContain(bold);
    expect(await outputOf('milepost cohort list', { ...study.environment, NO_COLOR: '1' })).not.toContain(bold);
    expect((await shell.run('milepost cohort list', study.environment)).stdout).not.toContain('\u001B');
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
    const child = shell.openTerminal('milepost bulk move processed --query state:arrived', study.environment);
    child.stdout.on('data', (text) => {
      if (/\[y\/N\] /.test(String(text))) child.stdin.write('\r');
    });
    const { stdout } = await child.outcome;
    expect(stdout).toContain('1 of 1 experiment would change.');
    expect(stdout).toContain('Change 1 experiment? [y/N]');
    expect(stdout).toContain('Not confirmed. Nothing was changed.');
  });

  it('Ctrl-C at a question changes nothing and exits with 130', async () => {
    const child = shell.openTerminal('milepost bulk move processed --query state:arrived', study.environment);
    child.stdout.on('data', (text) => {
      if (/\[y\/N\] /.test(String(text))) child.stdin.write('\u0003');
    });
    const { stdout, code } = await child.outcome;
    expect({ stdout, code }).toEqual({
      stdout: expect.stringContaining('Interrupted. Nothing was changed.'),
      code: 130,
    });
  });
});
