/** Imports of configurations (specification, section 4, Service operations). */
import type { serviceOperations } from '@milepost/api';
import { applyConfig, type AppliedConfig } from '../engine/configuration/apply-config.ts';
import { ConfigDefinition } from '../engine/configuration/config-definition.ts';
import { hashConfigPasswords } from '../engine/configuration/hash-config-passwords.ts';
import { placed, type YamlDocument } from '../engine/documents/parse-yaml.ts';
import { readYaml } from '../engine/documents/read-yaml.ts';
import { inTransaction, rehearse } from '../database/transaction.ts';
import { invalidDefinition, Problem } from '../errors.ts';
import { created, ok, type Call, type HandlersInTwoParts } from '../http/call.ts';
import { showSystem } from './external-systems.ts';
import { summariseRole, summariseUser } from './people.ts';
import { showScantype } from './scans.ts';

type Configuration = Pick<typeof serviceOperations, 'importConfig' | 'overwriteConfig'>;
type ImportCall = Call<Configuration['importConfig' | 'overwriteConfig']>;

export const serviceHandlers: HandlersInTwoParts<Configuration> = {
  importConfig: {
    async first({ body }) {
      const file = await readFile(body.config_definition);
      return async (call) => {
        const result = await importConfig(call, file, false);
        const added = [result.roles, result.users, result.external_systems, result.scantypes].some(
          (list) => list.length > 0,
        );
        return added && !call.query.dry_run ? created(result) : ok(result);
      };
    },
  },

  overwriteConfig: {
    async first({ body }) {
      const file = await readFile(body.config_definition);
      return async (call) => ok(await importConfig(call, file, true));
    },
  },
};

const pointer = '/config_definition';

async function readFile(text: string): Promise<YamlDocument> {
  const file = await readYaml(text, ConfigDefinition, pointer);
  if (file.faults.length > 0) throw invalidDefinition(file.faults);
  return file;
}

async function importConfig(call: ImportCall, { value, positions }: YamlDocument, overwrite: boolean) {
  try {
    return showApplied(call, await applyFile(call, value as ConfigDefinition, overwrite));
  } catch (error) {
    if (!(error instanceof Problem) || error.faults.length === 0) throw error;
    // What shows only against the database still says where in the file it stands.
    const found = error.faults.map((fault) => placed(positions, pointer, fault));
    if (error.code === 'invalid_request') throw invalidDefinition(found);
    throw new Problem(error.code, error.message, { faults: found, cause: error });
  }
}

async function applyFile(
  { database, passwords, author, query }: ImportCall,
  config: ConfigDefinition,
  overwrite: boolean,
) {
  const hashes = await hashConfigPasswords(database.db, passwords, config.users ?? [], overwrite);
  const perform = query.dry_run ? rehearse : inTransaction;
  return perform(database.db, (tx) => applyConfig(tx, author, config, { overwrite, hashes }));
}

const showApplied = ({ links }: ImportCall, applied: AppliedConfig) => ({
  external_systems: applied.external_systems.map((row) => showSystem(links, row)),
  roles: applied.roles.map((row) => summariseRole(links, row)),
  scantypes: applied.scantypes.map((row) => showScantype(links, row)),
  users: applied.users.map((row) => summariseUser(links, row)),
  updated_at: applied.updated_at,
  warnings: applied.warnings.map((message) => ({ message, line: null, column: null })),
});
