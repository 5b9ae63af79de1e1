/** The users whose name or username contains a text, as items of the palette, for those who can read all users. */
import { useQuery } from '@tanstack/react-query';
import { useNavigate } from 'react-router';
import { operationQuery } from '../api/operation-query.ts';
import { paths } from '../paths.ts';
import { usePermission } from '../session/session-context.ts';
import type { PaletteItem } from './palette-item.ts';

const mostShown = 8;

const usersQuery = operationQuery(
  'listUsers',
  { fields: 'users{id,username,name}' },
  ({ object_kind }) => object_kind === 'user',
);

export function useFoundUsers(text: string): PaletteItem[] {
  const navigate = useNavigate();
  const enabled = usePermission('user_read_all') && text !== '';
  const { data } = useQuery({ ...usersQuery, staleTime: 60_000, enabled });
  if (!enabled) return [];
  const found = (data?.users ?? []).filter(({ username, name }) =>
    `${name}\n${username}`.toLowerCase().includes(text.toLowerCase()),
  );
  return found.slice(0, mostShown).map(({ id, username, name }) => ({
    key: `user ${id}`,
    name: name === '' ? username : name,
    detail: `User · ${username}`,
    run: () => void navigate(paths.user(id)),
  }));
}
