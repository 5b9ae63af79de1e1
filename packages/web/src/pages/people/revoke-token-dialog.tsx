import { useMutation, useQueryClient } from '@tanstack/react-query';
import { client } from '../../api/client.ts';
import { announceDone } from '../../ui/announcements.tsx';
import { DialogForm, FormDialog } from '../../ui/form-dialog.tsx';
import { tokensQuery, type Token } from './user-queries.ts';

interface Props {
  userId: number;
  /** Undefined while the dialog is closed. */
  token: Token | undefined;
  onClose: () => void;
}

export const RevokeTokenDialog = ({ userId, token, onClose }: Props) => (
  <FormDialog opened={token !== undefined} onClose={onClose}>
    {token ? <RevokeForm userId={userId} token={token} onClose={onClose} /> : null}
  </FormDialog>
);

function RevokeForm({ userId, token: { id, name }, onClose }: Props & { token: Token }) {
  const queryClient = useQueryClient();
  const revoke = useMutation({
    mutationFn: () => client.revokeApiToken({ params: { id: userId, token_id: id } }),
    onSuccess: () => {
      void queryClient.invalidateQueries({ queryKey: tokensQuery(userId).queryKey });
      announceDone(`Revoked token ${name}.`);
      onClose();
    },
  });
  return (
    <DialogForm
      title="Revoke API token"
      action="Revoke token"
      sending={revoke}
      onSubmit={() => revoke.mutate()}
      onClose={onClose}
    >
      <p>
        Programs that use <bdi>{name}</bdi> lose access immediately. You cannot undo this.
      </p>
    </DialogForm>
  );
}
