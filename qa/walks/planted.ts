/** Plants a bug in a copy of the tree and runs 1,000 walks there. */
import { execFile } from 'node:child_process';
import { withPlanted } from '../plant.ts';

export const patches = new URL('./planted/', import.meta.url);

/** `walk` is undefined if no walk found a difference. Throws if the patch does not apply. */
export const findBug = (
  patch: string,
  seed: number,
  databaseUrl: string,
): Promise<{ walk: number | undefined; output: string }> =>
  withPlanted(new URL(patch, patches), async (copy) => {
    const output = await runWalksIn(copy, { WALKS_SEED: String(seed), MILEPOST_TEST_DATABASE_URL: databaseUrl });
    const found = /in walk (\d+); walks: /.exec(output);
    return { walk: found ? Number(found[1]) : undefined, output };
  });

/** Returns the output. A run that finds a bug exits with an error, as expected. */
function runWalksIn(cwd: string, settings: Record<string, string>): Promise<string> {
  const env = { ...ownEnvironment(), ...settings, WALKS: '1000', WALKS_SHRINK: 'no', NO_COLOR: '1' };
  const { promise, resolve } = Promise.withResolvers<string>();
  execFile('vitest', ['run', '--project=system', 'qa/walks/walks.system.test.ts'], { cwd, env }, (_, out, error) =>
    resolve(out + error),
  );
  return promise;
}

/** Without the variables of the outer Vitest run, such as the path of its report. */
const ownEnvironment = () =>
  Object.fromEntries(Object.entries(process.env).filter(([name]) => !/^(?:VITEST|MILEPOST_TEST_REPORT)/.test(name)));
