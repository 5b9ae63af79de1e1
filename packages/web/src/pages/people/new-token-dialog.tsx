/** Creates an API token with a name, permissions and an expiry date, and shows it once. */
import { NativeSelect, TextInput } from '@mantine/core';
import type { Permission } from '@milepost/api';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { client } from '../../api/client.ts';
import { useSession } from '../../session/session-context.ts';
import { DialogForm, FormDialog } from '../../ui/form-dialog.tsx';
import { PermissionChoice } from './choices.tsx';
import { CreatedToken } from './created-token.tsx';
import { CurrentPasswordInput } from './current-password-input.tsx';
import { allPermissions } from './permission-text.ts';
import { defaultExpiry, expiries, expiryAfter } from './token-expiry.ts';
import { tokensQuery } from './user-queries.ts';

interface Props {
  userId: number;
  /** The permissions of the current user. The server rejects those that the owner of the token lacks. */
  permissions: readonly string[];
  onClose: () => void;
}

export function NewTokenDialog({ opened, ...props }: Props & { opened: boolean }) {
  const [created, setCreated] = useState<{ name: string; token: string }>();
  const onClose = () => {
    setCreated(undefined);
    props.onClose();
  };
  return (
    <FormDialog opened={opened} onClose={onClose} keepOpen={created !== undefined}>
      {created ? <CreatedToken {...created} onDone={onClose} /> : <NewTokenForm {...props} onCreated={setCreated} />}
    </FormDialog>
  );
}

interface NewToken {
  name: string;
  permissions: readonly Permission[];
  days: string;
  /** Undefined for users without a password. */
  password: string | undefined;
}

function useCreate(userId: number, onCreated: (created: { name: string; token: string }) => void) {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: ({ name, permissions, days, password }: NewToken) =>
      client.createApiToken({
        params: { id: userId },
        body: {
          name,
          permissions: [...permissions],
          expires_at: expiryAfter(days, new Date()),
          ...(password !== undefined && { current_password: password }),
        },
      }),
    onSuccess: (created) => {
      void queryClient.invalidateQueries({ queryKey: tokensQuery(userId).queryKey });
      onCreated(created);
    },
    // Keeps no token in memory after the dialog is closed.
    gcTime: 0,
  });
}

function NewTokenForm({
  userId,
  permissions,
  onClose,
  onCreated,
}: Props & { onCreated: (created: { name: string; token: string }) => void }) {
  const [name, setName] = useState('');
  const [chosen, setChosen] = useState<ReadonlySet<string>>(new Set());
  const [days, setDays] = useState<string>(defaultExpiry);
  const [password, setPassword] = useState('');
  const { has_password: hasPassword } = useSession();
  const create = useCreate(userId, onCreated);
  const available = allPermissions.filter((permission) => permissions.includes(permission));
  const newToken = {
    name: name.trim(),
    permissions: available.filter((one) => chosen.has(one)),
    days,
    password: hasPassword ? password : undefined,
  };
  return (
    <DialogForm
      title="Create API token"
      action="Create token"
      sending={create}
      disabled={newToken.name === '' || newToken.permissions.length === 0 || newToken.password === ''}
      onSubmit={() => create.mutate(newToken)}
      onClose={onClose}
    >
      <TextInput
        label="Name"
        placeholder="Nightly import"
        data-autofocus
        autoComplete="off"
        maxLength={255}
        dir="auto"
        value={name}
        onChange={({ currentTarget }) => setName(currentTarget.value)}
      />
      <PermissionChoice of={available} chosen={chosen} onChange={setChosen} />
      <p>
        Every permission includes reading study data. A token can never assign roles, set passwords or import
        configurations.
      </p>
      <NativeSelect
        label="Expires after"
        data={[...expiries]}
        value={days}
        onChange={({ currentTarget }) => setDays(currentTarget.value)}
      />
      {hasPassword ? <CurrentPasswordInput value={password} onChange={setPassword} error={create.error} /> : null}
    </DialogForm>
  );
}
