import { useMutation, useQueryClient } from '@tanstack/react-query';
import { client } from '../../api/client.ts';
import { displayName } from '../../people/display-name.ts';
import { announceDone } from '../../shown/announcements.tsx';
import { DialogForm, FormDialog } from '../../shown/form-dialog.tsx';
import { heldRolesQuery, type HeldRole } from './held-roles.ts';

interface Props {
  user: { id: number; name: string; username: string };
  /** The role to remove, or undefined if the dialog is closed. */
  held: HeldRole | undefined;
  onClose: () => void;
}

export const RemoveRoleDialog = ({ user, held, onClose }: Props) => (
  <FormDialog opened={held !== undefined} onClose={onClose}>
    {held ? <RemoveRoleForm user={user} held={held} onClose={onClose} /> : null}
  </FormDialog>
);

function removeRole(username: string, { role, cohort }: HeldRole): Promise<unknown> {
  const params = { username, role_name: role.name };
  return cohort
    ? client.removeCohortRole({ params: { ...params, cohort_id: cohort.id } })
    : client.removeUserRole({ params });
}

function RemoveRoleForm({ user, held, onClose }: Props & { held: HeldRole }) {
  const queryClient = useQueryClient();
  const scope = held.cohort?.label ?? 'all cohorts';
  const removal = useMutation({
    mutationFn: () => removeRole(user.username, held),
    onSuccess: () => {
      void queryClient.invalidateQueries({ queryKey: heldRolesQuery(user.id).queryKey });
      announceDone(`Removed role ${held.role.name} in ${scope}.`);
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
        <bdi>{displayName(user)}</bdi> loses the role <bdi>{held.role.name}</bdi> in <bdi>{scope}</bdi> immediately.
      </p>
    </DialogForm>
  );
}
