/** All accounts, active and inactive, with their roles and last sign-in. */
import { Button } from '@mantine/core';
import { useState } from 'react';
import { operationQuery, type QueryOf, type Touches } from '../../api/operation-query.ts';
import { ChoiceFilter } from '../../filters/choice-filter.tsx';
import { TextFilter } from '../../filters/text-filter.tsx';
import { useFilters } from '../../filters/use-filters.ts';
import { usePermission } from '../../session/session-context.ts';
import { PagedTable } from '../../table/paged-table.tsx';
import { usePages } from '../../table/use-pages.ts';
import { PageHead, useTitle } from '../../ui/page-layout.tsx';
import { EmptyState } from '../../ui/placeholders.tsx';
import { AddUserDialog } from './add-user-dialog.tsx';
import { userColumns } from './user-columns.tsx';
import styles from './people.module.css';

const accounts = [
  { value: 'active', label: 'Active' },
  { value: 'inactive', label: 'Inactive' },
] as const;

/** People sign in all the time, and the labels of cohorts hardly change. */
const touchesUsers: Touches = ({ object_kind: of, kind }) => {
  if (of === 'user') return kind.startsWith('signIn') ? 'later' : true;
  return of === 'cohort' && 'later';
};

type Filters = Pick<QueryOf<'listUserRows'>, 'find' | 'active'>;

function useUsers() {
  const { textOf } = useFilters();
  const [find, account] = [textOf('find'), textOf('account')];
  const filters: Filters = {
    ...(find !== undefined && find.trim() !== '' && { find }),
    ...(accounts.some(({ value }) => value === account) && { active: account === 'active' }),
  };
  return usePages({
    query: (after, limit) =>
      operationQuery(
        'listUserRows',
        { query: { ...filters, limit, ...(after === undefined ? {} : { after }) } },
        touchesUsers,
      ),
    rowsOf: ({ users }) => users,
    filter: JSON.stringify(filters),
  });
}

export function UsersPage() {
  useTitle('Users');
  const users = useUsers();
  const mayAdd = usePermission('user_add');
  const showsRoles = usePermission('roles_manage');
  const [adding, setAdding] = useState(false);
  return (
    <>
      <PageHead title="Users" about="Accounts for people, and service accounts for programs.">
        {mayAdd ? (
          <Button variant="filled" onClick={() => setAdding(true)}>
            New user
          </Button>
        ) : null}
      </PageHead>
      <search className={styles['filters']} aria-label="Filters">
        <TextFilter name="find" label="Name or e-mail" />
        <ChoiceFilter name="account" label="Status" all="All users" choices={accounts} />
      </search>
      <PagedTable
        of={users}
        what="users"
        label="Users"
        columns={userColumns(showsRoles)}
        rowHeight={57}
        empty={<NoMatch />}
      />
      <AddUserDialog opened={adding} onClose={() => setAdding(false)} />
    </>
  );
}

function NoMatch() {
  const { clear } = useFilters();
  return (
    <EmptyState title="No matching users.">
      <Button variant="subtle" onClick={clear}>
        Clear filters
      </Button>
    </EmptyState>
  );
}
