/** Imports of configurations (specification, section 4, Service operations). */
import type { serviceOperations } from '@milepost/api';
import { applyConfig, type AppliedConfig } from '../engine/apply-config.ts';
import { ConfigDefinition } from '../engine/config-definition.ts';
import { hashConfigPasswords } from '../engine/hash-config-passwords.ts';
import { readYaml } from '../engine/read-yaml.ts';
import { inTransaction, rehearse } from '../database/transaction.ts';
import { invalid } from '../errors.ts';
import { created, ok, type Handlers } from '../http/call.ts';
import { showSystem } from './external-systems.ts';
import { summariseRole, summariseUser } from './people.ts';
import { showScantype } from './scans.ts';

type Configuration = Pick<typeof serviceOperations, 'importConfig' | 'overwriteConfig'>;
type ImportCall = Parameters<Handlers<Configuration>['importConfig' | 'overwriteConfig']>[0];

export const serviceHandlers: Handlers<Configuration> = {
  async importConfig(call) {
    const result = await importConfig(call, false);
    const added = [result.roles, result.users, result.external_systems, result.scantypes].some(
      (list) => list.length > 0,
    );
    return added && !call.query.dry_run ? created(result) : ok(result);
  },

  async overwriteConfig(call) {
    return ok(await importConfig(call, true));
  },
};

async function importConfig(call: ImportCall, overwrite: boolean) {
  const { database, passwords, author, body, query } = call;
  const config = await readConfig(body.config_definition);
  const hashes = await hashConfigPasswords(database.db, passwords, config.users ?? [], overwrite);
  const perform = query.dry_run ? rehearse : inTransaction;
  const applied = await perform(database.db, (tx) => applyConfig(tx, author, config, { overwrite, hashes }));
  return showApplied(call, applied);
}

async function readConfig(text: string): Promise<ConfigDefinition> {
  const { value, faults } = await readYaml(text, ConfigDefinition, '/config_definition');
  if (faults.length > 0) throw invalid(...faults);
  return value as ConfigDefinition;
}

const showApplied = ({ links }: ImportCall, applied: AppliedConfig) => ({
  external_systems: applied.external_systems.map((row) => showSystem(links, row)),
  roles: applied.roles.map((row) => summariseRole(links, row)),
  scantypes: applied.scantypes.map((row) => showScantype(links, row)),
  users: applied.users.map((row) => summariseUser(links, row)),
  updated_at: applied.updated_at,
  warnings: applied.warnings.map((message) => ({ message, line: null, column: null })),
});
