/** Installs the package that `npm run pack` built into an empty folder, as a user would. */
import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { createDevFolder, type DevFolder } from '../packages/milepost/testing/dev-process.ts';
import { hangLimitMs } from '../packages/server/testing/hang-limit.ts';
import { packageFile } from '../tools/pack.ts';

const run = promisify(execFile);

export async function installMilepost(): Promise<DevFolder> {
  const folder = await createDevFolder();
  // Without --prefix, npm would install into the current project if the tests were started by npm.
  const flags = ['install', '--prefix', folder.path, '--prefer-offline', '--no-audit', '--no-fund', '--loglevel=error'];
  try {
    await run('npm', [...flags, packageFile()], { cwd: folder.path, timeout: hangLimitMs });
    return folder;
  } catch (error) {
    await folder.remove();
    throw error;
  }
}
