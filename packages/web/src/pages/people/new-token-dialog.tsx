/** Creates an API token with a name, permissions and an expiry date, and shows it once. */
import { NativeSelect, TextInput } from '@mantine/core';
import type { Permission } from '@milepost/api';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect, useRef, useState } from 'react';
import { client } from '../../api/client.ts';
import { FirstStep } from '../../forms/first-step.tsx';
import { usePermission, useSession } from '../../session/session-context.ts';
import { DialogForm, FormDialog } from '../../ui/form-dialog.tsx';
import { Name } from '../../ui/name.tsx';
import { countOf } from '../../ui/numbers.ts';
import { QueryResult } from '../../ui/query-result.tsx';
import { CreatedToken } from './created-token.tsx';
import { CurrentPasswordInput } from './current-password-input.tsx';
import { PermissionChoice } from './permission-choice.tsx';
import { tokenPermissions } from './permission-groups.ts';
import { permissionText } from './permission-text.ts';
import { defaultExpiry, expiries, expiryAfter } from './token-expiry.ts';
import { displayName } from './user-data.ts';
import { tokensQuery, userPermissionsQuery } from './user-queries.ts';
import styles from './people.module.css';

export interface TokenOwner {
  id: number;
  name: string;
  username: string;
}

interface Props {
  owner: TokenOwner;
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
      {created ? <CreatedToken {...created} onDone={onClose} /> : <WithPermissions {...props} onCreated={setCreated} />}
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

interface CreationProps extends Props {
  onCreated: (created: { name: string; token: string }) => void;
}

function WithPermissions(props: CreationProps) {
  const held = useQuery(userPermissionsQuery(props.owner.id));
  return (
    <QueryResult query={held} what="permissions">
      {(data) => {
        const available = tokenPermissions(data);
        return available.length === 0 || data.missing_permissions.length > 0 ? (
          <Obstacle {...props} missing={data.missing_permissions} />
        ) : (
          <NewTokenForm {...props} available={available} inSomeCohorts={data.cohort_permissions} />
        );
      }}
    </QueryResult>
  );
}

/** Why nobody, or only another user, can create a token for the owner. */
function Obstacle({ owner, missing, onClose }: Props & { missing: readonly string[] }) {
  const isSelf = useSession().user.id === owner.id;
  const mayAssign = usePermission('roles_manage');
  const name = <Name text={displayName(owner)} />;
  return (
    <FirstStep title={title} next={undefined} onClose={onClose}>
      {missing.length > 0 ? (
        <>
          {name} has permissions that you do not have: {missing.map(permissionText).join('; ')}. Ask a user who has them
          to create the token.
        </>
      ) : (
        <>
          {isSelf ? 'Your account' : name} has no permissions yet.{' '}
          {mayAssign && !isSelf ? 'Assign a role first.' : 'Ask an administrator to assign a role first.'}
        </>
      )}
    </FirstStep>
  );
}

const title = 'New API token';

interface FormProps extends CreationProps {
  /** The permissions that the token can have. */
  available: readonly Permission[];
  inSomeCohorts: readonly string[];
}

function missingIn({ name, permissions, password }: NewToken): string | undefined {
  if (name === '') return 'Enter a name.';
  if (permissions.length === 0) return 'Choose at least one permission.';
  return password === '' ? 'Enter your current password.' : undefined;
}

function NewTokenForm({ owner, available, inSomeCohorts, onClose, onCreated }: FormProps) {
  const [name, setName] = useState('');
  const [chosen, setChosen] = useState<ReadonlySet<string> | undefined>(new Set());
  const [days, setDays] = useState<string>(defaultExpiry);
  const [password, setPassword] = useState('');
  const { has_password: hasPassword, user } = useSession();
  const create = useCreate(owner.id, onCreated);
  const isSelf = user.id === owner.id;
  const newToken: NewToken = {
    name: name.trim(),
    permissions: available.filter((one) => chosen?.has(one) ?? true),
    days,
    password: hasPassword ? password : undefined,
  };
  return (
    <DialogForm
      title={title}
      action="Create"
      sending={create}
      missing={missingIn(newToken)}
      onSubmit={() => create.mutate(newToken)}
      onClose={onClose}
    >
      <TextInput
        label="Name"
        placeholder="Nightly import"
        ref={useFocusAtOpening()}
        autoComplete="off"
        maxLength={255}
        dir="auto"
        value={name}
        onChange={({ currentTarget }) => setName(currentTarget.value)}
      />
      <PermissionChoice
        of={available}
        inSomeCohorts={inSomeCohorts}
        same={`Same as ${isSelf ? 'your account' : 'the owner'} (${countOf(available.length, 'permission')})`}
        chosen={chosen}
        onChange={setChosen}
      />
      <Rules isSelf={isSelf} />
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

/** The field appears after the dialog has opened. */
function useFocusAtOpening() {
  const input = useRef<HTMLInputElement>(null);
  useEffect(() => {
    // Later than the dialog, which first remembers where the focus returns to.
    const timer = setTimeout(() => input.current?.focus());
    return () => clearTimeout(timer);
  }, []);
  return input;
}

const Rules = ({ isSelf }: { isSelf: boolean }) => (
  <p className={styles['note']}>
    If {isSelf ? 'your' : "the owner's"} roles change, the token loses the permissions that{' '}
    {isSelf ? 'you lose' : 'the owner loses'}, but never gets new ones. Every permission includes reading study data. A
    token can never assign roles, set passwords or import configurations.
  </p>
);
