/** All accounts, active and inactive. */
import { Button } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { operationQuery, type BodyOf } from '../../api/operation-query.ts';
import { ChoiceFilter } from '../../filters/choice-filter.tsx';
import { TextFilter } from '../../filters/text-filter.tsx';
import { useFilters } from '../../filters/use-filters.ts';
import { paths } from '../../paths.ts';
import { usePermission } from '../../session/session-context.ts';
import type { Column } from '../../table/column.ts';
import { DataTable } from '../../table/data-table.tsx';
import { Name, NameLink } from '../../ui/name.tsx';
import { PageHead, useTitle } from '../../ui/page-layout.tsx';
import { EmptyState } from '../../ui/placeholders.tsx';
import { QueryResult } from '../../ui/query-result.tsx';
import { AddUserDialog } from './add-user-dialog.tsx';
import { displayName, matchingUsers } from './user-data.ts';
import styles from './people.module.css';

type UserRow = BodyOf<'listUsers'>['users'][number];

const accounts = [
  { value: 'active', label: 'Active' },
  { value: 'inactive', label: 'Inactive' },
] as const;

/** Loads all users at once: there are few, and they are filtered while the user types. */
const usersQuery = (account: string | undefined) => {
  const query = accounts.some(({ value }) => value === account) ? { active: account === 'active' } : {};
  return operationQuery('listUsers', { query }, ({ object_kind }) => object_kind === 'user');
};

const columns: readonly Column<UserRow>[] = [
  {
    id: 'user',
    header: 'Name',
    names: true,
    text: displayName,
    cell: (user) => <NameLink text={displayName(user)} to={paths.user(user.id)} />,
  },
  {
    id: 'username',
    header: 'Username',
    text: ({ username }) => username,
    cell: ({ username }) => <Name text={username} />,
  },
];

export function UsersPage() {
  useTitle('Users');
  const users = useQuery(usersQuery(useFilters().textOf('account')));
  const mayAdd = usePermission('user_add');
  const [adding, setAdding] = useState(false);
  return (
    <>
      <PageHead title="Users" about="Accounts for people, and service accounts for programs.">
        {mayAdd ? (
          <Button variant="filled" onClick={() => setAdding(true)}>
            Add user…
          </Button>
        ) : null}
      </PageHead>
      <search className={styles['filters']} aria-label="Filters">
        <TextFilter name="find" label="Name or username" />
        <ChoiceFilter name="account" label="Status" all="All users" choices={accounts} />
      </search>
      <QueryResult query={users} what="users">
        {(data) => <Matching users={data.users} />}
      </QueryResult>
      <AddUserDialog opened={adding} onClose={() => setAdding(false)} />
    </>
  );
}

function Matching({ users }: { users: readonly UserRow[] }) {
  const { textOf, clear } = useFilters();
  const rows = matchingUsers(users, textOf('find') ?? '');
  if (rows.length > 0) return <DataTable label="Users" columns={columns} rows={rows} rowKey={({ id }) => String(id)} />;
  return (
    <EmptyState title="No matching users.">
      <Button variant="subtle" onClick={clear}>
        Clear filters
      </Button>
    </EmptyState>
  );
}
