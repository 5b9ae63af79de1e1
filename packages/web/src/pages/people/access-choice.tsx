/** The access of a new user: a role in cohorts, or for users who cannot assign roles, the role "user" or none. */
import { maxNewCohorts } from '@milepost/api';
import type { UseQueryResult } from '@tanstack/react-query';
import type { BodyOf, CallOf } from '../../api/operation-query.ts';
import { QueryResult } from '../../ui/query-result.tsx';
import { CohortChoice } from './choices.tsx';
import { RoleChoice } from './role-choice.tsx';
import styles from './people.module.css';

export interface Access {
  /** Empty for no role. */
  role: string;
  /** Undefined for all cohorts. */
  cohorts: ReadonlySet<number> | undefined;
}

/** What is missing before the access can be assigned. */
export function missingAccess({ role, cohorts }: Access): string | undefined {
  if (role === '' || cohorts === undefined) return undefined;
  if (cohorts.size === 0) return 'Choose at least one cohort.';
  return cohorts.size > maxNewCohorts ? `Choose at most ${maxNewCohorts} cohorts, or all.` : undefined;
}

export function accessFields(
  { role, cohorts }: Access,
  mayAssign: boolean,
): Pick<CallOf<'createUser'>['body'], 'roles' | 'all_cohorts'> {
  if (!mayAssign) return { all_cohorts: role !== '' };
  return { roles: role === '' ? [] : [{ role_name: role, cohort_ids: cohorts ? [...cohorts] : null }] };
}

type RolesQuery = UseQueryResult<BodyOf<'listRoleRows'>>;

interface Props {
  access: Access;
  onChange: (access: Access) => void;
}

/** `roles` are undefined for users who cannot assign them. */
export const AccessChoice = ({ roles, ...props }: Props & { roles: RolesQuery | undefined }) =>
  roles ? <RoleAndCohorts roles={roles} {...props} /> : <AllOrNone {...props} />;

const noRole = { label: 'No role yet', about: 'The user can sign in, but sees no study data until you assign a role.' };

const RoleAndCohorts = ({ roles, access, onChange }: Props & { roles: RolesQuery }) => (
  <QueryResult query={roles} what="roles">
    {(data) => (
      <>
        <RoleChoice
          roles={data.roles}
          name={access.role}
          onChange={(role) => onChange({ ...access, role })}
          none={noRole}
        />
        {access.role === '' ? null : (
          <CohortChoice selected={access.cohorts} onChange={(cohorts) => onChange({ ...access, cohorts })} />
        )}
      </>
    )}
  </QueryResult>
);

const AllOrNone = ({ access: { role }, onChange }: Props) => (
  <fieldset className={styles['choices']}>
    <legend>Access to study data</legend>
    <label className={styles['choice']}>
      <input
        type="radio"
        name="access"
        checked={role !== ''}
        onChange={() => onChange({ role: 'user', cohorts: undefined })}
      />
      All cohorts, with the role “user”
    </label>
    <label className={styles['choice']}>
      <input
        type="radio"
        name="access"
        checked={role === ''}
        onChange={() => onChange({ role: '', cohorts: undefined })}
      />
      None until an administrator assigns roles
    </label>
  </fieldset>
);
