/**
 * Checks the installation with the settings and the database role of the server. It changes nothing. Checks that depend on
 * a failed one are skipped, so that one fault prints one line.
 */
import { readConfig, SettingsError, type Config, type Environment } from '../config.ts';
import { openDatabase } from '../database/connection.ts';
import { readInstallationId } from '../database/installation-id.ts';
import { examineDatabase } from './examine-database.ts';
import { examineServer } from './examine-server.ts';
import { oldestNode } from '../version.ts';
import { failed, ok, type Finding } from './finding.ts';

export type { Finding } from './finding.ts';

export async function* examine(environment: Environment): AsyncGenerator<Finding> {
  yield examineNode(process.versions.node);
  const config = readSettings(environment);
  if ('outcome' in config) {
    yield config;
    return;
  }
  yield ok('Settings', 'valid');
  const database = openDatabase({
    ...config,
    applicationName: 'milepost doctor',
    poolSize: 1,
    onError: () => undefined,
  });
  let installation: string | undefined;
  try {
    yield* examineDatabase(database, config);
    installation = await readInstallationId(database.db).catch(() => undefined);
  } finally {
    await database.close();
  }
  yield await examineServer(config, installation);
}

export function examineNode(version: string): Finding {
  const fits = version.localeCompare(oldestNode, 'en', { numeric: true }) >= 0;
  return fits
    ? ok('Node', `v${version}`)
    : failed('Node', `v${version} is too old`, `Install Node ${oldestNode} or later.`);
}

function readSettings(environment: Environment): Config | Finding {
  try {
    return readConfig(environment);
  } catch (error) {
    if (!(error instanceof SettingsError)) throw error;
    return failed('Settings', error.message, 'Correct the environment variables, then run `milepost doctor` again.');
  }
}
