import { useMutation, useQueryClient } from '@tanstack/react-query';
import { client } from '../../api/client.ts';
import { called } from '../../people/called.ts';
import { announceDone } from '../../shown/announcements.tsx';
import { DialogForm, FormDialog } from '../../shown/form-dialog.tsx';
import { heldRolesQuery, type HeldRole } from './held-roles.ts';

interface Props {
  user: { id: number; name: string; username: string };
  /** Undefined: none, and nothing is asked. */
  held: HeldRole | undefined;
  onClose: () => void;
}

export const TakeRoleDialog = ({ user, held, onClose }: Props) => (
  <FormDialog opened={held !== undefined} onClose={onClose}>
    {held ? <TakeRoleForm user={user} held={held} onClose={onClose} /> : null}
  </FormDialog>
);

function take(username: string, { role, cohort }: HeldRole): Promise<unknown> {
  const params = { username, role_name: role.name };
  return cohort
    ? client.removeCohortRole({ params: { ...params, cohort_id: cohort.id } })
    : client.removeUserRole({ params });
}

function TakeRoleForm({ user, held, onClose }: Props & { held: HeldRole }) {
  const queryClient = useQueryClient();
  const where = held.cohort?.label ?? 'all cohorts';
  const taking = useMutation({
    mutationFn: () => take(user.username, held),
    onSuccess: () => {
      void queryClient.invalidateQueries({ queryKey: heldRolesQuery(user.id).queryKey });
      announceDone(`The role ${held.role.name} for ${where} is taken.`);
      onClose();
    },
  });
  return (
    <DialogForm
      title="Take a role"
      action="Take the role"
      sending={taking}
      onSubmit={() => taking.mutate()}
      onClose={onClose}
    >
      <p>
        From their next request on, <bdi>{called(user)}</bdi> no longer has the role <bdi>{held.role.name}</bdi> for{' '}
        <bdi>{where}</bdi>.
      </p>
    </DialogForm>
  );
}
