import { useMutation, useQueryClient } from '@tanstack/react-query';
import { client } from '../../api/client.ts';
import { announceDone } from '../../ui/announcements.tsx';
import { DialogForm, FormDialog } from '../../ui/form-dialog.tsx';
import { displayName } from './user-data.ts';
import { userRolesQuery, type UserRole } from './user-queries.ts';

interface Props {
  user: { id: number; name: string; username: string };
  /** The role to remove, or undefined if the dialog is closed. */
  held: UserRole | undefined;
  onClose: () => void;
}

export const RemoveRoleDialog = ({ user, held, onClose }: Props) => (
  <FormDialog opened={held !== undefined} onClose={onClose}>
    {held ? <RemoveRoleForm user={user} held={held} onClose={onClose} /> : null}
  </FormDialog>
);

function removeRole(username: string, { role, cohort }: UserRole): Promise<unknown> {
  const params = { username, role_name: role.name };
  return cohort
    ? client.removeCohortRole({ params: { ...params, cohort_id: cohort.id } })
    : client.removeUserRole({ params });
}

function RemoveRoleForm({ user, held, onClose }: Props & { held: UserRole }) {
  const queryClient = useQueryClient();
  const scope = held.cohort?.label ?? 'all cohorts';
  const preposition = held.cohort ? 'in' : 'for';
  const removal = useMutation({
    mutationFn: () => removeRole(user.username, held),
    onSuccess: () => {
      void queryClient.invalidateQueries({ queryKey: userRolesQuery(user.id).queryKey });
      announceDone(`Removed role ${held.role.name} ${preposition} ${scope}.`);
      onClose();
    },
  });
  return (
    <DialogForm
      title="Remove role"
      action="Remove role"
      sending={removal}
      onSubmit={() => removal.mutate()}
      onClose={onClose}
    >
      <p>
        <bdi>{displayName(user)}</bdi> loses the role <bdi>{held.role.name}</bdi> {preposition} <bdi>{scope}</bdi>{' '}
        immediately.
      </p>
    </DialogForm>
  );
}
