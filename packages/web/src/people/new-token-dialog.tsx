/** A new token: what it is for, what it may do, how long it lasts. Then it is shown, this once. */
import { NativeSelect, TextInput } from '@mantine/core';
import type { Permission } from '@milepost/api';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { client } from '../api/client.ts';
import { useSession } from '../session/session-context.ts';
import { DialogForm, FormDialog } from '../shown/form-dialog.tsx';
import { endAfter, expiries, usualExpiry } from './expiry.ts';
import { OwnPassword } from './own-password.tsx';
import { PermissionChoice } from './permission-choice.tsx';
import { allPermissions } from './permission-words.ts';
import { ShownOnce } from './shown-once.tsx';
import { tokensQuery } from './tokens-query.ts';

interface Props {
  userId: number;
  /** What is offered: what whoever looks may do. Of what the owner lacks the server says so. */
  permissions: readonly string[];
  onClose: () => void;
}

export function NewTokenDialog({ opened, ...props }: Props & { opened: boolean }) {
  const [shown, setShown] = useState<{ name: string; token: string }>();
  const onClose = () => {
    setShown(undefined);
    props.onClose();
  };
  return (
    <FormDialog opened={opened} onClose={onClose} mayNotBeLost={shown !== undefined}>
      {shown ? <ShownOnce {...shown} onDone={onClose} /> : <NewTokenForm {...props} onCreated={setShown} />}
    </FormDialog>
  );
}

interface Wanted {
  name: string;
  permissions: readonly Permission[];
  days: string;
  /** Undefined for those who have none. */
  password: string | undefined;
}

function useCreate(userId: number, onCreated: (created: { name: string; token: string }) => void) {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: ({ name, permissions, days, password }: Wanted) =>
      client.createApiToken({
        params: { id: userId },
        body: {
          name,
          permissions: [...permissions],
          expires_at: endAfter(days, new Date()),
          ...(password !== undefined && { current_password: password }),
        },
      }),
    onSuccess: (created) => {
      void queryClient.invalidateQueries({ queryKey: tokensQuery(userId).queryKey });
      onCreated(created);
    },
    // The answer is a secret: nothing keeps it when the dialog is closed.
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
  const [days, setDays] = useState<string>(usualExpiry);
  const [password, setPassword] = useState('');
  const { has_password: hasPassword } = useSession();
  const create = useCreate(userId, onCreated);
  const own = allPermissions.filter((permission) => permissions.includes(permission));
  const wanted = {
    name: name.trim(),
    permissions: own.filter((one) => chosen.has(one)),
    days,
    password: hasPassword ? password : undefined,
  };
  return (
    <DialogForm
      title="Create a token"
      action="Create the token"
      sending={create}
      mayNot={wanted.name === '' || wanted.password === ''}
      onSubmit={() => create.mutate(wanted)}
      onClose={onClose}
    >
      <TextInput
        label="What it is for"
        placeholder="Nightly import"
        data-autofocus
        autoComplete="off"
        maxLength={255}
        dir="auto"
        value={name}
        onChange={({ currentTarget }) => setName(currentTarget.value)}
      />
      <PermissionChoice of={own} chosen={chosen} onChange={setChosen} />
      <p>It gives nobody a role or a password, and imports no configuration: for these one signs in.</p>
      <NativeSelect
        label="It ends after"
        data={[...expiries]}
        value={days}
        onChange={({ currentTarget }) => setDays(currentTarget.value)}
      />
      {hasPassword ? <OwnPassword value={password} onChange={setPassword} error={create.error} /> : null}
    </DialogForm>
  );
}
