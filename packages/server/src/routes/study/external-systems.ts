/** External systems (specification, section 4, External systems), and our operations to create and change them. */
import type { externalSystemChangeOperations, externalSystemOperations } from '@milepost/api';
import type { Db } from '../../database/connection.ts';
import { inTransaction } from '../../database/transaction.ts';
import { created, ok, type Handlers } from '../../http/call.ts';
import type { Links } from '../../links.ts';
import * as systems from '../../store/study/external-systems.ts';
import { differing, recordChange } from '../../store/record/record-change.ts';
import { listAnswer } from '../lists.ts';
import { getByLabel } from '../references/get-by-label.ts';

export const externalSystemHandlers: Handlers<typeof externalSystemOperations> = {
  async listExternalSystems({ database, query, links }) {
    return listAnswer('external_systems', await systems.listExternalSystems(database, query), (row) =>
      showSystem(links, row),
    );
  },

  async getExternalSystemByName({ database, params, links }) {
    return answer(links, await getNamedSystem(database.db, params.system_name));
  },

  async getExternalSystem({ database, params, links }) {
    return answer(links, await systems.getExternalSystem(database.db, params.id));
  },
};

export const externalSystemChangeHandlers: Handlers<typeof externalSystemChangeOperations> = {
  async createExternalSystem({ database, author, body, links }) {
    const system = await inTransaction(database.db, async (tx) => {
      const id = await systems.insertExternalSystem(tx, body);
      await recordChange(tx, author, { objectKind: 'external_system', objectId: id, before: null, after: body });
      return { id, ...body };
    });
    return created(showSystem(links, system), 1);
  },

  async updateExternalSystem({ database, author, params, body, links, requireVersion }) {
    const system = await inTransaction(database.db, async (tx) => {
      const stored = await systems.lockExternalSystem(tx, params.id);
      requireVersion(stored.version);
      const wanted = { system_name: body.system_name, url: body.url };
      const changes = differing<systems.ExternalSystemValues>(stored, wanted);
      if (!changes) return stored;
      await systems.updateExternalSystem(tx, stored.id, changes);
      const place = { objectKind: 'external_system', objectId: stored.id };
      await recordChange(tx, author, { ...place, before: stored, after: changes });
      return { ...stored, ...changes, version: stored.version + 1 };
    });
    return answer(links, system);
  },
};

/** The system that a path names. */
export const getNamedSystem = (db: Db, name: string) =>
  getByLabel(
    name,
    (key) => systems.findExternalSystem(db, key),
    ({ label }) => `external system "${label}"`,
  );

const answer = (links: Links, row: systems.ExternalSystemRow) => ok(showSystem(links, row), row.version);

export const showSystem = (links: Links, row: Omit<systems.ExternalSystemRow, 'version'>) => ({
  id: row.id,
  system_name: row.system_name,
  uri: links.uri('external_systems', row.id),
  url: row.url,
});
