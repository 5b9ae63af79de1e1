/** Asks for the current password before a change that outlasts the session, in case the browser is unattended. */
import { PasswordInput } from '@mantine/core';
import { hasFieldError } from '../../api/problems.ts';
import { useSession } from '../../session/session-context.ts';

interface Props {
  /** Why the password is required. */
  description?: string;
  value: string;
  onChange: (value: string) => void;
  /** The error of the request with this password. */
  error: unknown;
}

export function CurrentPasswordInput({ description, value, onChange, error }: Props) {
  const { user } = useSession();
  return (
    <>
      {/* Tells password managers the username. */}
      <input type="text" name="username" autoComplete="username" value={user.username} readOnly hidden />
      <PasswordInput
        label="Your current password"
        description={description}
        autoComplete="current-password"
        maxLength={1024}
        required
        withAsterisk={false}
        error={hasFieldError(error, '/current_password')}
        value={value}
        onChange={({ currentTarget }) => onChange(currentTarget.value)}
      />
    </>
  );
}
