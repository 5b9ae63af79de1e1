/** Asked for what outlasts the session: whoever finds this page open must not be able to do it. */
import { PasswordInput } from '@mantine/core';
import { useSession } from '../session/session-context.ts';

export function OwnPassword({ value, onChange }: { value: string; onChange: (value: string) => void }) {
  const { user } = useSession();
  return (
    <>
      {/* For password managers, which then know whose password it is. */}
      <input type="text" name="username" autoComplete="username" value={user.username} readOnly hidden />
      <PasswordInput
        label="Your current password"
        autoComplete="current-password"
        maxLength={1024}
        required
        withAsterisk={false}
        value={value}
        onChange={({ currentTarget }) => onChange(currentTarget.value)}
      />
    </>
  );
}
