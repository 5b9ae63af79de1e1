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
import type { Links } from '../links.ts';
import { showSystem } from './external-systems.ts';
import { summariseRole, summariseUser } from './people.ts';
import { showScantype } from './scans.ts';

type Configuration = Pick<typeof serviceOperations, 'importConfig' | 'overwriteConfig'>;
type ImportCall = Call<Configuration['importConfig' | 'overwriteConfig']>;

export const serviceHandlers: HandlersInTwoParts<Configuration> = {
  importConfig: {
    async first(call) {
      const apply = await prepare(call, false);
      return async (later) => {
        const result = await apply(later);
        const added = [result.roles, result.users, result.external_systems, result.scantypes].some(
          (list) => list.length > 0,
        );
        return added && !later.query.dry_run ? created(result) : ok(result);
      };
    },
  },

  overwriteConfig: {
    async first(call) {
      const apply = await prepare(call, true);
      return async (later) => ok(await apply(later));
    },
  },
};

const pointer = '/config_definition';

/** Reads the file and hashes its passwords, both of which take long. What is given applies it. */
async function prepare({ body, database, passwords }: ImportCall, overwrite: boolean) {
  const { value, positions, faults } = await readYaml(body.config_definition, ConfigDefinition, pointer);
  if (faults.length > 0) throw invalidDefinition(faults);
  const config = value as ConfigDefinition;
  const hashing = hashConfigPasswords(database.db, passwords, config.users ?? [], overwrite);
  const hashes = await placingFaults(positions, hashing);
  return async ({ database: { db }, author, query, links }: ImportCall) => {
    const perform = query.dry_run ? rehearse : inTransaction;
    const applying = perform(db, (tx) => applyConfig(tx, author, config, { overwrite, hashes }));
    return showApplied(links, await placingFaults(positions, applying));
  };
}

/** What shows only against the database still says where in the file it stands. */
const placingFaults = <T>(positions: YamlDocument['positions'], work: Promise<T>): Promise<T> =>
  work.catch((error: unknown) => {
    if (!(error instanceof Problem) || error.faults.length === 0) throw error;
    const found = error.faults.map((fault) => placed(positions, pointer, fault));
    if (error.code === 'invalid_request') throw invalidDefinition(found);
    throw new Problem(error.code, error.message, { faults: found, cause: error });
  });

const showApplied = (links: Links, applied: AppliedConfig) => ({
  external_systems: applied.external_systems.map((row) => showSystem(links, row)),
  roles: applied.roles.map((row) => summariseRole(links, row)),
  scantypes: applied.scantypes.map((row) => showScantype(links, row)),
  users: applied.users.map((row) => summariseUser(links, row)),
  updated_at: applied.updated_at,
  warnings: applied.warnings.map((message) => ({ message, line: null, column: null })),
});
