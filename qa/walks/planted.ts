/** Plants a fault in a copy of the tree, and looks in which of a thousand walks it shows. */
import { execFile } from 'node:child_process';
import { withPlanted } from '../plant.ts';

export const patches = new URL('./planted/', import.meta.url);

/** Undefined where no walk disagreed; throws where the patch no longer fits. `told` is what the run said. */
export const findFault = (
  patch: string,
  seed: number,
  databaseUrl: string,
): Promise<{ walk: number | undefined; told: string }> =>
  withPlanted(new URL(patch, patches), async (copy) => {
    const told = await runWalksIn(copy, { WALKS_SEED: String(seed), MILEPOST_TEST_DATABASE_URL: databaseUrl });
    const found = /in walk (\d+); walks: /.exec(told);
    return { walk: found ? Number(found[1]) : undefined, told };
  });

/** What was said; a run that finds a fault ends with an error, as it should. */
function runWalksIn(cwd: string, settings: Record<string, string>): Promise<string> {
  const env = { ...ofOurOwn(), ...settings, WALKS: '1000', WALKS_SHRINK: 'no', NO_COLOR: '1' };
  const { promise, resolve } = Promise.withResolvers<string>();
  execFile('vitest', ['run', '--project=system', 'qa/walks/walks.system.test.ts'], { cwd, env }, (_, out, error) =>
    resolve(out + error),
  );
  return promise;
}

/** The run that asks is one of Vitest, too: what it was told, such as where its report goes, is not for this one. */
const ofOurOwn = () =>
  Object.fromEntries(Object.entries(process.env).filter(([name]) => !/^(?:VITEST|MILEPOST_TEST_REPORT)/.test(name)));
