/** `milepost worker run` with a real server and real programs. */
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { createEngineWorld, pulledWorkflow, type EngineWorld } from '../../../server/testing/engine-world.ts';
import { createShell, interrupt, type Shell } from '../../testing/run-milepost.ts';
import { startStudy, type Study } from '../../testing/study.ts';

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
