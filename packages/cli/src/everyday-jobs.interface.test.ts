/**
 * Runs the commands of docs/how-to/everyday-jobs.md in a terminal and in a pipe. The page shows the terminal. To update it after an intended
 * change: `npm test -- packages/cli/src/everyday-jobs.interface.test.ts -u`.
 */
import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createShell, type Outcome, type Shell } from '../testing/run-milepost.ts';
import { brainMri, startEverydayStudy } from '../testing/everyday-study.ts';

const page = fileURLToPath(new URL('../../../docs/how-to/everyday-jobs.md', import.meta.url));
const readPage = () => readFile(page, 'utf8');
const address = 'https://milepost.example.org';

/** A command of the page with its output. */
interface Step {
  command: string;
  shown: string;
}

/** A block begins with a command. Each line with a prompt begins the next one. */
const stepsOf = (block: string): Step[] =>
  block
    .split(/^\$ /m)
    .slice(1)
    .map((part) => {
      const end = part.search(/(?<!\\)\n/) + 1;
      return { command: part.slice(0, end - 1), shown: part.slice(end) };
    });

const blocks = /(?<=^```console\n)[^]*?(?=^```$)/gm;

/** Questions, with the option that answers them without a terminal. */
const questions = [
  { question: /^Password:$/m, option: '--password-stdin < password' },
  { question: /(?<=^Reason: ).+/m, option: '--reason' },
  { question: /(?<=\[y\/N\] ).+/m, option: '--yes' },
];

interface Setting {
  study: Awaited<ReturnType<typeof startEverydayStudy>>;
  shell: Shell;
}

async function start(): Promise<Setting> {
  const study = await startEverydayStudy();
  const shell = await createShell();
  await shell.write('password', study.amina.password);
  await shell.write('visits.csv', 'subject,visit\nMC-0046,baseline\nMC-0047,baseline\n,baseline\n');
  await shell.write('brain-mri.yaml', brainMri);
  return { study, shell };
}

const stop = async ({ study, shell }: Setting) => {
  await study.stop();
  await shell.remove();
};

const localised = (command: string, { study }: Setting) => command.replaceAll(address, study.server.origin);

const escape = '\u001B';
const redrawn = new RegExp(`[^\n]*\r${escape}\\[K`, 'g');
const coloursAndProgress = new RegExp(`${escape}|\r(?!\n)`);
const style = new RegExp(`${escape}\\[\\d*[mGJ]`, 'g');

/** As on the page: without colours, progress and the parts that differ between runs. */
function shownAs(output: string, { study, shell }: Setting): string {
  const { origin, host } = new URL(study.server.origin);
  return (
    output
      // A terminal adds a carriage return to each line, also to those of CSV, which have one.
      .replaceAll(/\r+\n/g, '\n')
      .replaceAll(redrawn, '')
      .replaceAll(style, '')
      .replaceAll(origin, address)
      .replaceAll(host, new URL(address).host)
      .replaceAll(shell.folder, '~')
      .replaceAll(/mp_[\w-]{43}/g, 'mp_...')
      .replaceAll(/\d{4}-\d\d-\d\d(?=[T ]\d\d:\d\d)/g, '2026-03-02')
      .replaceAll(/(?<=until |expires on )\d{4}-\d\d-\d\d/g, '2026-05-31')
      .replaceAll(/(?<=2026-03-02[T ])\d\d:\d\d(?::\d\d\.\d{3})?/g, (time) => '09:30:00.000'.slice(0, time.length))
      .replaceAll(/ +$/gm, '')
  );
}

const anyQuestion = /Password: |Reason: |\[y\/N\] /;

/** Types the password, and the other answers that the page shows. */
async function runInTerminal({ command, shown }: Step, setting: Setting): Promise<string> {
  const child = setting.shell.openTerminal(localised(command, setting));
  const answers = [...shown.matchAll(/^(?:Password:|Reason: (.+)|.*\[y\/N\] (.+))$/gm)].map(
    ([, reason, yes]) => reason ?? yes ?? setting.study.amina.password,
  );
  child.stdout.on('data', (chunk) => {
    const answer = anyQuestion.test(String(chunk)) ? answers.shift() : undefined;
    if (answer !== undefined) child.stdin.write(`${answer}\r`);
  });
  return shownAs((await child.outcome).stdout, setting);
}

/** With options instead of the answers. */
function withoutQuestions({ command, shown }: Step): string {
  const options = questions.flatMap(({ question, option }) => {
    const [answer] = question.exec(shown) ?? [];
    if (answer === undefined) return [];
    return option === '--reason' ? `--reason ${JSON.stringify(answer)}` : option;
  });
  return [command, ...options].join(' ');
}

describe('the everyday jobs', () => {
  let terminal: Setting;
  let pipe: Setting;
  beforeAll(async () => {
    terminal = await start();
    pipe = await start();
  });
  afterAll(() => Promise.all([stop(terminal), stop(pipe)]));

  it('print in a terminal what the page shows', async () => {
    const text = await readPage();
    let shown = '';
    let from = 0;
    for (const { 0: block, index } of text.matchAll(blocks)) {
      shown += text.slice(from, index);
      for (const step of stepsOf(block)) shown += `$ ${step.command}\n${await runInTerminal(step, terminal)}`;
      from = index + block.length;
    }
    await expect(shown + text.slice(from)).toMatchFileSnapshot(page);
  });

  it('ask nothing in a pipe, and print nothing but data to standard output', async () => {
    const steps = [...(await readPage()).matchAll(blocks)].flatMap(([block]) => stepsOf(block));
    for (const step of steps) {
      const isAsking = withoutQuestions(step) !== step.command;
      if (isAsking) expect(await pipe.shell.run(localised(step.command, pipe))).toMatchObject({ code: 2, stdout: '' });
      const outcome = await pipe.shell.run(localised(withoutQuestions(step), pipe));
      expectOnlyData(step, outcome);
    }
  });

  function expectOnlyData({ command, shown }: Step, { stdout, stderr, code }: Outcome) {
    const isFailed = /^Error: |: error: /m.test(shown);
    expect({ command, stderr, isFailed: code !== 0 }).toEqual({ command, stderr, isFailed });
    expect(stdout + stderr).not.toMatch(coloursAndProgress);
    const lines = shownAs(stdout, pipe).split('\n');
    expect({ command, missing: lines.filter((line) => !shown.includes(line)) }).toEqual({ command, missing: [] });
  }
});
