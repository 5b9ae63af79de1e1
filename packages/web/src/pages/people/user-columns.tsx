/** The columns of the list of users. */
import type { BodyOf } from '../../api/operation-query.ts';
import { paths } from '../../paths.ts';
import type { Column } from '../../table/column.ts';
import { Name, NameLink } from '../../ui/name.tsx';
import { countOf } from '../../ui/numbers.ts';
import { Timestamp } from '../../ui/timestamp.tsx';
import { tooltipIfTruncated } from '../../ui/tooltip.tsx';
import { roleLines, rolesText, type RowRole } from './role-summary.ts';
import { displayName } from './user-data.ts';
import styles from './users.module.css';

export type UserRow = BodyOf<'listUserRows'>['users'][number];

const userColumn: Column<UserRow> = {
  id: 'user',
  header: 'Name',
  names: true,
  width: '36%',
  text: displayName,
  cell: (user) => (
    <>
      <span className={styles['user']}>
        <NameLink text={displayName(user)} to={paths.user(user.id)} />
        {user.kind === 'service_account' ? <span className={styles['tag']}>Service account</span> : null}
        {user.active ? null : <span className={styles['tag']}>Inactive</span>}
      </span>
      <span className={styles['sub']}>
        <Name text={user.name === '' ? user.email : `${user.username} · ${user.email}`} />
      </span>
      <span className={styles['narrow']}>
        Last sign-in: <LastSignIn of={user} />
      </span>
    </>
  ),
};

const rolesColumn: Column<UserRow> = {
  id: 'roles',
  header: 'Roles',
  text: ({ roles }) => rolesText(roles ?? []),
  cell: ({ roles }) => <Roles roles={roles ?? []} />,
};

function Roles({ roles }: { roles: readonly RowRole[] }) {
  const { lines, more } = roleLines(roles);
  if (lines.length === 0) return <span className={styles['quiet']}>No roles</span>;
  return (
    <>
      {lines.map(({ role, cohorts }) => (
        <span
          key={`${role} ${cohorts}`}
          className={styles['role']}
          dir="auto"
          {...tooltipIfTruncated(`${role} in ${cohorts}`)}
        >
          <bdi>{role}</bdi> <span className={styles['quiet']}>in</span> <bdi>{cohorts}</bdi>
        </span>
      ))}
      {more > 0 ? <span className={styles['sub']}>and {countOf(more, 'more role')}</span> : null}
    </>
  );
}

/** The last use of a token counts as a sign-in of a service account. */
const seenAt = ({ last_sign_in_at: signIn, token_last_used_at: token }: UserRow): string | null =>
  signIn === null || (token !== null && token > signIn) ? token : signIn;

const signInColumn: Column<UserRow> = {
  id: 'sign-in',
  header: 'Last sign-in',
  align: 'right',
  width: '148px',
  wideOnly: true,
  text: (user) => seenAt(user) ?? '',
  cell: (user) => <LastSignIn of={user} />,
};

function LastSignIn({ of: user }: { of: UserRow }) {
  const at = seenAt(user);
  return at === null ? <span className={styles['quiet']}>Never</span> : <Timestamp at={at} />;
}

/** Users who cannot read roles see no column of them. */
export const userColumns = (showsRoles: boolean): readonly Column<UserRow>[] =>
  showsRoles ? [userColumn, rolesColumn, signInColumn] : [userColumn, signInColumn];
