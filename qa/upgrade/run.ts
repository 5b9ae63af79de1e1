/**
 * `npm run qa:upgrade`: the server and worker of the last commit with fewer migrations serve a seeded database under load; the present
 * migrations run beneath them; then the present server and worker take over. No request may fail. `-- --from COMMIT` begins at another.
 */
import { rmSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { findPrevious, unpack } from './previous.ts';
import { tryUpgrade } from './try-upgrade.ts';

const { values } = parseArgs({ options: { from: { type: 'string' } } });
const commit = values.from ?? findPrevious();
if (commit === undefined) {
  console.log('Not tried: this clone is shallow and does not have the commit before the newest migration.');
  process.exit(0);
}
const previous = unpack(commit);
try {
  console.log(`From ${commit.slice(0, 12)} to what is here.`);
  const faults = await tryUpgrade(previous);
  for (const fault of faults) console.log(`NOT: ${fault}`);
  console.log(faults.length === 0 ? 'Upgraded, and nobody noticed.' : `${faults.length} faults.`);
  process.exitCode = faults.length === 0 ? 0 : 1;
} finally {
  rmSync(previous.folder, { recursive: true, force: true });
}
process.exit();
