/** Configuration imports and the timeout check (specification, section 4, Service operations). */
import type { serviceOperations } from '@milepost/api';
import { applyConfig, type AppliedConfig } from '../engine/config-import/apply-config.ts';
import { hashConfigPasswords } from '../engine/config-import/hash-config-passwords.ts';
import {
  atPosition,
  checkConfiguration,
  ConfigDefinition,
  type ConfigurationReading,
  type YamlDocument,
} from '@milepost/definitions';
import { checkTimeouts } from '../engine/runs/check-timeouts.ts';
import { readYaml } from '../engine/threads/read-yaml.ts';
import { inTransaction, dryRun } from '../database/transaction.ts';
import { invalidDefinition, Problem } from '../errors.ts';
import { created, ok, type Call, type Handlers, type TwoPhaseHandlers } from '../http/call.ts';
import type { Links } from '../links.ts';
import { engineContext, type EngineServices } from './engine-context.ts';
import { showSystem } from './study/external-systems.ts';
import { summariseRole, summariseUser } from './people/people.ts';
import { showScantype } from './study/scans.ts';

type Configuration = Pick<typeof serviceOperations, 'importConfig' | 'overwriteConfig'>;
type Checks = Pick<typeof serviceOperations, 'checkTimeouts'>;
type ImportCall = Call<Configuration['importConfig' | 'overwriteConfig']>;

export const serviceHandlers: TwoPhaseHandlers<Configuration> & Handlers<Checks, EngineServices> = {
  async checkTimeouts(call) {
    return ok(await checkTimeouts(engineContext(call)));
  },

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
  const text = body.config_definition;
  const document = await readYaml(text, ConfigDefinition, pointer);
  const { positions } = document;
  const { config, faults, warnings } = checkConfiguration(text, document, pointer);
  if (!config) throw invalidDefinition(faults, warnings);
  const hashing = hashConfigPasswords(database.db, passwords, config.users ?? [], overwrite);
  const filePasswords = await withPositions({ positions, warnings }, hashing);
  return async ({ database: { db }, author, query, links }: ImportCall) => {
    const perform = query.dry_run ? dryRun : inTransaction;
    const applying = perform(db, (tx) => applyConfig(tx, author, config, { overwrite, passwords: filePasswords }));
    const applied = await withPositions({ positions, warnings }, applying);
    return { ...showApplied(links, applied), warnings: [...warnings, ...applied.warnings.map(placed(positions))] };
  };
}

type Read = Pick<YamlDocument, 'positions'> & Pick<ConfigurationReading, 'warnings'>;

/** Adds the position in the file to faults that were found while applying it, and the warnings, which they must not hide. */
const withPositions = <T>({ positions, warnings }: Read, work: Promise<T>): Promise<T> =>
  work.catch((error: unknown) => {
    if (!(error instanceof Problem) || error.faults.length === 0) throw error;
    const found = error.faults.map((fault) => atPosition(positions, pointer, fault));
    if (error.code === 'invalid_request') throw invalidDefinition(found, warnings);
    throw new Problem(error.code, error.message, { faults: found, warnings, cause: error });
  });

const placed =
  (positions: YamlDocument['positions']) =>
  ({ message, pointer: part }: AppliedConfig['warnings'][number]) => ({
    code: null,
    message,
    line: null,
    column: null,
    ...positions.get(part),
  });

const showApplied = (links: Links, applied: AppliedConfig) => ({
  external_systems: applied.external_systems.map((row) => showSystem(links, row)),
  roles: applied.roles.map((row) => summariseRole(links, row)),
  scantypes: applied.scantypes.map((row) => showScantype(links, row)),
  users: applied.users.map((row) => summariseUser(links, row)),
  updated_at: applied.updated_at,
});
