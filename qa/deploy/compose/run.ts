/**
 * `npm run qa:image`: runs the containers of deploy/compose/compose.yaml with podman, and the workflow of the demo in them. It replaces
 * the server under load, kills containers, writes a backup and restores it with the commands of the documentation. `-- --from IMAGE`
 * starts with the image of an earlier version and upgrades it under load. POSTGRES_IMAGE and CADDY_IMAGE select other images.
 */
import { execFileSync } from 'node:child_process';
import { chownSync, cpSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { fromRoot } from '../../../tools/printed-file.ts';
import { password } from '../../faults/testbed/settings.ts';
import { readCompose } from './compose-file.ts';
import { Containers } from './podman.ts';
import { operator } from './try-restore.ts';
import { tryCompose } from './try-compose.ts';

const { values } = parseArgs({ options: { from: { type: 'string' } } });
const project = `milepost-qa-${process.pid}`;
const folder = mkdtempSync(join(tmpdir(), `${project}-`));
cpSync(fromRoot('deploy/compose'), folder, { recursive: true });
mkdirSync(join(folder, 'secrets'), { mode: 0o700 });
// Another account starts Compose, usually not root.
mkdirSync(join(folder, 'backups'), { mode: 0o700 });
chownSync(join(folder, 'backups'), operator, operator);
// The clients of the check know this password. The other secrets are generated.
writeFileSync(join(folder, 'secrets/admin-password'), password);
execFileSync(join(folder, 'create-secrets'), { stdio: 'inherit' });

const given = Object.fromEntries(Object.entries(process.env).map(([name, value = '']) => [name, value]));
const variables = {
  ...given,
  DOMAIN: '172.30.90.2',
  CADDY_GLOBAL_OPTIONS: 'local_certs',
  // The simulated systems of the demo, behind the address of this machine.
  MILEPOST_OUTGOING_ALLOW: 'http://172.30.90.1:*',
};
const withImage = (image: string | undefined) =>
  new Containers(readCompose(folder, { ...variables, ...(image && { IMAGE: image }) }), folder, project);

const containers = withImage(undefined);
let failed = 0;
try {
  failed = await tryCompose(withImage(values.from ?? given['IMAGE']), containers, variables);
} finally {
  containers.removeAll();
  rmSync(folder, { recursive: true, force: true });
}
console.log(failed === 0 ? 'Container test passed.' : `Container test failed: ${failed} failed checks.`);
process.exit(failed === 0 ? 0 : 1);
