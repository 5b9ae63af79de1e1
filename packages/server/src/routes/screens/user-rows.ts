/** Users with their roles and last sign-in (docs/decisions/0023). */
import type { userRowOperations, UserRow } from '@milepost/api';
import type { Static } from 'typebox';
import type { Handlers } from '../../http/call.ts';
import type { Links } from '../../links.ts';
import { screenPage } from '../../store/screens/screen-page.ts';
import { findUserIds, readUserRows, type UserRow as StoredRow } from '../../store/screens/user-rows.ts';
import { summariseRole } from '../people/people.ts';

const defaultUsers = 100;

export const userRowHandlers: Handlers<typeof userRowOperations> = {
  async listUserRows({ database: { db }, account, query, links }) {
    const { find = '', active } = query;
    const words = find.split(/\s+/).filter(Boolean);
    const { ids, next } = await findUserIds(db, { words, active }, screenPage(query, defaultUsers));
    const rows = ids.length === 0 ? [] : await readUserRows(db, ids);
    const showsRoles = account.permissions.has('roles_manage');
    return { status: 200, body: { users: rows.map((row) => showUser(links, row, showsRoles)) }, next };
  },
};

const showUser = (links: Links, { roles, ...row }: StoredRow, showsRoles: boolean): Static<typeof UserRow> => ({
  ...row,
  uri: links.uri('users', row.id),
  roles: showsRoles
    ? roles.map(({ cohorts, ...role }) => ({
        role: summariseRole(links, role),
        cohorts: cohorts && { total: cohorts.total, first: cohorts.first.map((one) => links.ref('cohorts', one)) },
      }))
    : null,
});
