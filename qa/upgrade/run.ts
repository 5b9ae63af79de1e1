/**
 * `npm run qa:upgrade`: the server and worker of the last commit with fewer migrations serve a seeded database under load while
 * the current migrations run. Then the current server and worker take over. No request may fail. `-- --from COMMIT` starts at
 * another commit.
 */
import { rmSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { findPrevious, unpack } from './previous.ts';
import { tryUpgrade } from './try-upgrade.ts';

const { values } = parseArgs({ options: { from: { type: 'string' } } });
const commit = values.from ?? findPrevious();
if (commit === undefined) {
  console.log('Skipped: this clone is shallow and does not contain the commit before the latest migration.');
  process.exit(0);
}
const previous = unpack(commit);
try {
  console.log(`Upgrading from ${commit.slice(0, 12)} to the working tree.`);
  const failures = await tryUpgrade(previous);
  for (const failure of failures) console.log(`FAILED: ${failure}`);
  console.log(failures.length === 0 ? 'Upgrade test passed.' : 'Upgrade test failed.');
  process.exitCode = failures.length === 0 ? 0 : 1;
} finally {
  rmSync(previous.folder, { recursive: true, force: true });
}
process.exit();
