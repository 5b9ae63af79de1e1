/** The package that `npm run pack` made, installed into an empty folder as anybody would. */
import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { createDevFolder, type DevFolder } from '../packages/milepost/testing/dev-process.ts';
import { packageFile } from '../tools/pack.ts';

const run = promisify(execFile);

export async function installMilepost(): Promise<DevFolder> {
  const folder = await createDevFolder();
  // Where this is run by npm itself, npm would otherwise install into the folder that it was started in.
  const flags = ['install', '--prefix', folder.path, '--prefer-offline', '--no-audit', '--no-fund', '--loglevel=error'];
  try {
    await run('npm', [...flags, packageFile()], { cwd: folder.path, timeout: 300_000 });
    return folder;
  } catch (error) {
    await folder.remove();
    throw error;
  }
}
