/** `milepost worker run` with a real server and real programs. */
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { createEngineWorld, pulledWorkflow, type EngineWorld } from '../../../server/testing/engine-world.ts';
import { createShell, interrupt, type Shell } from '../../testing/run-milepost.ts';
import { startStudy, type Study } from '../../testing/study.ts';
import { workOnClaim, type Job } from './work-on-claim.ts';

let study: Study;
let shell: Shell;
let world: EngineWorld;
beforeAll(async () => {
  study = await startStudy();
  world = createEngineWorld(study.server);
  shell = await createShell(study.environment);
});
afterAll(async () => {
  await study.stop();
  await shell.remove();
});

let queue: string;
let experiment: number;
let count = 0;
beforeEach(async () => {
  queue = `queue-${(count += 1)}`;
  experiment = await world.experimentIn(pulledWorkflow(queue));
});

const runOf = async (id: number) => {
  const { body } = await study.server.call('getExperimentTimeline', { params: { id } });
  const run = body.actions.flatMap(({ executions }: { executions: { id: number }[] }) => executions)[0].id as number;
  return (await study.server.call('getCallbackExecution', { params: { id: run } })).body;
};

const work = (program: string) =>
  shell.run(`milepost worker run --queue ${queue} --once --exec "$PROGRAM"`, { PROGRAM: program });

const jobOf = (command: string): Job => ({
  baseUrl: `${study.server.origin}/api/v2`,
  command,
  environment: {},
  tell: () => undefined,
  abandon: new AbortController().signal,
});

describe('milepost worker run', () => {
  it('gives the run to the program, and reports its log and its values', async () => {
    const { stderr, code } = await work('cat | head -c 12; echo; echo \'__VALUES__ = {"volume": 3.5}\'');
    expect({ stderr, code }).toMatchObject({ code: 0, stderr: expect.stringContaining('finished: success.') });
    const run = await runOf(experiment);
    expect(run).toMatchObject({ status: 'finished', result: 'success', result_values: { volume: 3.5 } });
    expect(run.run_log).toContain('{"execution"');
  });

  it('reports a failure with the exit code', async () => {
    await work('echo "No space left on /scratch"; exit 3');
    const run = await runOf(experiment);
    expect(run).toMatchObject({ result: 'failed', result_log: 'The program exited with code 3.' });
    expect(run.run_log).toContain('No space left on /scratch');
  });

  it('keeps the lines that it sent before the end', async () => {
    const go = `${shell.folder}/go-on`;
    const [claim] = (await study.server.call('claimExecutions', { body: { queues: [queue] } })).body.claims;
    const working = workOnClaim(
      { ...claim, lease_seconds: 0.3 },
      jobOf(`echo ok; until [ -e ${go} ]; do sleep 0.1; done; echo ok`),
    );
    const params = { id: claim.execution.id };
    const firstLog = async () => (await study.server.call('listExecutionAttempts', { params })).body.attempts[0].log;
    await expect.poll(firstLog).toBe('ok\n');
    await shell.write('go-on', '');
    await working;
    const { stdout } = await shell.run(`milepost run logs ${claim.execution.id}`);
    expect(stdout).toBe('ok\nok\n');
    expect((await runOf(experiment)).run_log).toMatch(/^--- attempt 1 by admin at .*Z\nok\nok\n$/);
  });

  it.each([
    ['succeeds', 0],
    ['then fails', 3],
  ])('keeps the output of a program that reports its result itself and %s', async (_what, code) => {
    const [claim] = (await study.server.call('claimExecutions', { body: { queues: [queue] } })).body.claims;
    const report = { status: 'finished', result: 'success', run_log: 'reported\n' };
    const headers = { Authorization: `Bearer ${claim.secret}`, 'Content-Type': 'application/json' };
    const url = `${study.server.origin}/api/v2/callback_executions/${claim.execution.id}`;
    const request = JSON.stringify({ method: 'PUT', headers, body: JSON.stringify(report) });
    await shell.write('report.mjs', `await fetch('${url}', ${request});\n`);
    await workOnClaim(
      claim,
      jobOf(`echo first; '${process.execPath}' ${shell.folder}/report.mjs; echo last; exit ${code}`),
    );
    const run = await runOf(experiment);
    expect(run).toMatchObject({ status: 'finished', result: 'success' });
    expect(run.run_log).toMatch(/reported\n[^]*first\nlast\n$/);
  });

  it('keeps the beginning and the end of a log of 20 MB', async () => {
    await work('echo first; head -c 20000000 /dev/zero | tr "\\0" "x"; echo; echo last');
    const run = await runOf(experiment);
    expect(run.result).toBe('success');
    expect(run.run_log).toMatch(/first\nx+\n\[\.\.\. \d+ bytes cut here \.\.\.\]\nx+\nlast\n/);
  });

  it('reports a failure if the values are too large for the server', async () => {
    await work(`printf '__VALUES__ = {"text": "'; head -c 2000000 /dev/zero | tr '\\0' 'x'; printf '"}'`);
    const run = await runOf(experiment);
    expect(run).toMatchObject({
      status: 'finished',
      result: 'failed',
      result_log: expect.stringContaining('result_values'),
    });
    expect(run.run_log).toContain('__VALUES__');
  });

  it('reports a failure if the server rejects the values', async () => {
    const levels = 'for i in $(seq 100)';
    const values = `printf '__VALUES__={"a":'; ${levels}; do printf '['; done; ${levels}; do printf ']'; done; echo '}'`;
    const { stderr } = await work(`echo first; ${values}`);
    expect(stderr).toContain('The server rejected the result: ');
    expect(stderr).toContain('finished: failed.');
    expect(stderr).not.toContain('success');
    const run = await runOf(experiment);
    expect(run).toMatchObject({ status: 'finished', result: 'failed', result_values: {} });
    expect(run.run_log).toMatch(/\nfirst\n__VALUES__=/);
  });

  it.each([
    [`echo '__VALUES__={"a": 1}'; echo done; echo problem >&2`, { a: 1 }],
    [`echo '__VALUES__ = [1]'; printf '__VALUES__  =  {"a": 2}\\r\\n\\n'`, { a: 2 }],
  ])('reads the last values of the standard output of %s', async (program, values) => {
    await work(program);
    expect(await runOf(experiment)).toMatchObject({ result: 'success', result_values: values });
  });

  it.each([`echo '__VALUES__ = [1]'`, `echo '__VALUES__ = null'`, `echo '__VALUES__: {"a": 1}'`])(
    'reports a failure if values are not a JSON object: %s',
    async (program) => {
      await work(program);
      const result_log = 'The printed __VALUES__ line does not contain a JSON object.';
      expect(await runOf(experiment)).toMatchObject({ result: 'failed', result_log });
    },
  );

  it('reports a failure if the program cannot be started', async () => {
    const { body } = await study.server.call('claimExecutions', { body: { queues: [queue] } });
    await workOnClaim(body.claims[0], { ...jobOf('true'), environment: { TOO_LONG: 'x'.repeat(1_000_000) } });
    const result_log = expect.stringContaining('The program cannot be started: spawn E2BIG');
    expect(await runOf(experiment)).toMatchObject({ result: 'failed', result_log });
  });

  it('rejects more than 100 runs at the same time', async () => {
    const { code, stderr } = await shell.run('milepost worker run --queue cluster --exec true --parallel 101');
    expect([code, stderr]).toEqual([2, 'Error: --parallel must be at most 100, not 101.\n']);
  });

  it('ends after the current run on Ctrl-C', async () => {
    const program = `while [ ! -e ${shell.folder}/go ]; do sleep 0.1; done`;
    const child = shell.start(`milepost worker run --queue ${queue} --exec "$PROGRAM"`, { PROGRAM: program });
    child.stderr?.on('data', (text) => {
      if (/started/.test(String(text))) interrupt(child);
      if (/Stopping after/.test(String(text))) void shell.write('go', '');
    });
    const { code, stderr } = await child.outcome;
    expect({ code, stderr }).toMatchObject({ code: 0, stderr: expect.stringContaining('finished: success.') });
    expect((await runOf(experiment)).result).toBe('success');
  });
});
