/** Chooses a role and explains it. */
import { NativeSelect } from '@mantine/core';
import type { BodyOf } from '../../api/operation-query.ts';
import { roleText } from './role-text.ts';

export type Roles = BodyOf<'listRoleRows'>['roles'];

interface Props {
  roles: Roles;
  /** The name of the role. Empty for none. */
  name: string;
  onChange: (name: string) => void;
  /** The choice and the explanation of no role. Without it, a role must be chosen. */
  none?: { label: string; about: string };
  autoFocus?: boolean;
}

export function RoleChoice({ roles, name, onChange, none, autoFocus = false }: Props) {
  const chosen = roles.find((role) => role.name === name);
  const names = roles.map((role) => role.name);
  return (
    <NativeSelect
      label="Role"
      data-autofocus={autoFocus || undefined}
      data={none ? [...names, { value: '', label: none.label }] : names}
      value={name}
      onChange={({ currentTarget }) => onChange(currentTarget.value)}
      description={chosen ? <bdi>{roleText(chosen)}</bdi> : none?.about}
      inputWrapperOrder={['label', 'input', 'description', 'error']}
    />
  );
}
