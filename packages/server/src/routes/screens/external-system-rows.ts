/** External systems with their last check and what uses them (docs/decisions/0023, 0050). */
import type { externalSystemRowOperations, ExternalSystemRow } from '@milepost/api';
import type { Static } from 'typebox';
import type { Handlers } from '../../http/call.ts';
import type { Links } from '../../links.ts';
import {
  readExternalSystemDetails,
  type ExternalSystemDetails,
  type SystemCallback,
} from '../../store/screens/external-system-rows.ts';
import { listExternalSystems } from '../../store/study/external-systems.ts';
import { showSystem } from '../study/external-systems.ts';

const defaultSystems = 100;

type ShownRow = Static<typeof ExternalSystemRow>;

export const externalSystemRowHandlers: Handlers<typeof externalSystemRowOperations> = {
  async listExternalSystemRows({ database, account, query, links }) {
    const page = { ...query, limit: query.limit ?? defaultSystems };
    const { rows, next } = await listExternalSystems(database, page);
    const shown = Array.isArray(rows) ? rows : [];
    const ids = shown.map(({ id }) => id);
    const countsLinks = account.scope.kind === 'all';
    const details = ids.length === 0 ? [] : await readExternalSystemDetails(database.db, ids, { countsLinks });
    const systems = details.flatMap((found, place): ShownRow[] => {
      const system = shown[place];
      return system ? [{ ...showSystem(links, system), ...showDetails(links, found) }] : [];
    });
    return { status: 200, body: { external_systems: systems }, next };
  },
};

const showDetails = (
  links: Links,
  found: ExternalSystemDetails,
): Omit<ShownRow, 'id' | 'system_name' | 'uri' | 'url'> => ({
  check: found.result === null ? null : showCheck(found),
  callbacks: {
    count: found.callbacks,
    workflows: found.workflows,
    first: found.first_callbacks.map((callback) => showCallback(links, callback)),
  },
  subjects: found.subjects,
  experiments: found.experiments,
});

const showCheck = ({
  result,
  checked_at,
  latency_ms,
  error,
  failing_since,
  last_error,
  last_error_at,
}: NonNullable<ShownRow['check']>): NonNullable<ShownRow['check']> => ({
  result,
  checked_at,
  latency_ms,
  error,
  failing_since,
  last_error,
  last_error_at,
});

const showCallback = (links: Links, { callback, state, workflow }: SystemCallback) => ({
  callback: links.ref('callbacks', callback),
  state: links.ref('states', state),
  workflow: links.ref('workflows', workflow),
});
