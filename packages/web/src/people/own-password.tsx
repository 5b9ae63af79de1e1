/** Asked for what outlasts the session: whoever finds this page open must not be able to do it. */
import { PasswordInput } from '@mantine/core';
import { isFaulty } from '../api/is-faulty.ts';
import { useSession } from '../session/session-context.ts';

interface Props {
  /** What it is needed for. */
  description?: string;
  value: string;
  onChange: (value: string) => void;
  /** That of what was sent with it. */
  error: unknown;
}

export function OwnPassword({ description, value, onChange, error }: Props) {
  const { user } = useSession();
  return (
    <>
      {/* For password managers, which then know whose password it is. */}
      <input type="text" name="username" autoComplete="username" value={user.username} readOnly hidden />
      <PasswordInput
        label="Your current password"
        description={description}
        autoComplete="current-password"
        maxLength={1024}
        required
        withAsterisk={false}
        error={isFaulty(error, '/current_password')}
        value={value}
        onChange={({ currentTarget }) => onChange(currentTarget.value)}
      />
    </>
  );
}
