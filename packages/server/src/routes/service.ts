/** Configuration imports (specification, section 4, Service operations). */
import type { serviceOperations } from '@milepost/api';
import { applyConfig, type AppliedConfig } from '../engine/configuration/apply-config.ts';
import { ConfigDefinition } from '../engine/configuration/config-definition.ts';
import { hashConfigPasswords } from '../engine/configuration/hash-config-passwords.ts';
import { atPosition, type YamlDocument } from '../engine/documents/parse-yaml.ts';
import { readYaml } from '../engine/documents/read-yaml.ts';
import { inTransaction, dryRun } from '../database/transaction.ts';
import { invalidDefinition, Problem } from '../errors.ts';
import { created, ok, type Call, type TwoPhaseHandlers } from '../http/call.ts';
import type { Links } from '../links.ts';
import { showSystem } from './external-systems.ts';
import { summariseRole, summariseUser } from './people.ts';
import { showScantype } from './scans.ts';

type Configuration = Pick<typeof serviceOperations, 'importConfig' | 'overwriteConfig'>;
type ImportCall = Call<Configuration['importConfig' | 'overwriteConfig']>;

export const serviceHandlers: TwoPhaseHandlers<Configuration> = {
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

/** Reads the file and hashes its passwords, which are slow. Returns a function that applies the import. */
async function prepare({ body, database, passwords }: ImportCall, overwrite: boolean) {
  const { value, positions, faults } = await readYaml(body.config_definition, ConfigDefinition, pointer);
  if (faults.length > 0) throw invalidDefinition(faults);
  const config = value as ConfigDefinition;
  const hashing = hashConfigPasswords(database.db, passwords, config.users ?? [], overwrite);
  const hashes = await withPositions(positions, hashing);
  return async ({ database: { db }, author, query, links }: ImportCall) => {
    const perform = query.dry_run ? dryRun : inTransaction;
    const applying = perform(db, (tx) => applyConfig(tx, author, config, { overwrite, hashes }));
    return showApplied(links, await withPositions(positions, applying));
  };
}

/** Adds the position in the file to faults that were found while applying it. */
const withPositions = <T>(positions: YamlDocument['positions'], work: Promise<T>): Promise<T> =>
  work.catch((error: unknown) => {
    if (!(error instanceof Problem) || error.faults.length === 0) throw error;
    const found = error.faults.map((fault) => atPosition(positions, pointer, fault));
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
