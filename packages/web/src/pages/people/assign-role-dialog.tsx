/** Assigns a role for all cohorts or for some. */
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { client } from '../../api/client.ts';
import { announceDone } from '../../ui/announcements.tsx';
import { DialogForm, FormDialog } from '../../ui/form-dialog.tsx';
import { countOf } from '../../ui/numbers.ts';
import { QueryResult } from '../../ui/query-result.tsx';
import { CohortChoice } from './choices.tsx';
import { RoleChoice, type Roles } from './role-choice.tsx';
import { leastPowerful } from './role-text.ts';
import { rolesQuery, userRolesQuery } from './user-queries.ts';

interface Props {
  user: { id: number; name: string; username: string };
  onClose: () => void;
}

export const AssignRoleDialog = ({ opened, ...props }: Props & { opened: boolean }) => (
  <FormDialog opened={opened} onClose={props.onClose}>
    <WithRoles {...props} />
  </FormDialog>
);

function WithRoles(props: Props) {
  const roles = useQuery(rolesQuery);
  return (
    <QueryResult query={roles} what="roles">
      {(data) => <AssignRoleForm {...props} roles={data.roles} />}
    </QueryResult>
  );
}

interface Assignment {
  name: string;
  /** Undefined for all cohorts. */
  cohorts: ReadonlySet<number> | undefined;
}

/** Roles assigned before an error stay assigned. Assigning them again changes nothing. */
async function assign(username: string, { name, cohorts }: Assignment): Promise<void> {
  const params = { username, role_name: name };
  if (cohorts === undefined) await client.assignUserRole({ params });
  for (const cohort_id of cohorts ?? []) await client.assignCohortRole({ params: { ...params, cohort_id } });
}

function useAssign({ user, onClose }: Props) {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: (assignment: Assignment) => assign(user.username, assignment),
    onSuccess: (_, { name, cohorts }) => {
      announceDone(`Assigned role ${name} in ${cohorts ? countOf(cohorts.size, 'cohort') : 'all cohorts'}.`);
      onClose();
    },
    onSettled: () => queryClient.invalidateQueries({ queryKey: userRolesQuery(user.id).queryKey }),
  });
}

function AssignRoleForm({ roles, ...props }: Props & { roles: Roles }) {
  const [name, setName] = useState(() => leastPowerful(roles.map((role) => role.name)));
  const [cohorts, setCohorts] = useState<ReadonlySet<number>>();
  const assignment = useAssign(props);
  return (
    <DialogForm
      title="Assign role"
      action="Assign role"
      sending={assignment}
      missing={name === '' ? 'Choose a role.' : cohorts?.size === 0 ? 'Choose at least one cohort.' : undefined}
      onSubmit={() => assignment.mutate({ name, cohorts })}
      onClose={props.onClose}
    >
      <RoleChoice roles={roles} name={name} onChange={setName} autoFocus />
      <CohortChoice selected={cohorts} onChange={setCohorts} />
    </DialogForm>
  );
}
