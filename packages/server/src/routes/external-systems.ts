/** External systems (specification, section 4, External systems). */
import type { externalSystemOperations } from '@milepost/api';
import { ok, type Handlers } from '../http/call.ts';
import type { Links } from '../links.ts';
import * as systems from '../store/external-systems.ts';
import { listAnswer } from './lists.ts';

export const externalSystemHandlers: Handlers<typeof externalSystemOperations> = {
  async listExternalSystems({ database, query, links }) {
    return listAnswer('external_systems', await systems.listExternalSystems(database, query), (row) =>
      showSystem(links, row),
    );
  },

  async getExternalSystemByName({ database, params, links }) {
    return ok(showSystem(links, await systems.getExternalSystemByName(database.db, params.system_name)));
  },

  async getExternalSystem({ database, params, links }) {
    return ok(showSystem(links, await systems.getExternalSystem(database.db, params.id)));
  },
};

export const showSystem = (links: Links, row: systems.ExternalSystemRow) => ({
  id: row.id,
  system_name: row.system_name,
  uri: links.uri('external_systems', row.id),
  url: row.url,
});
