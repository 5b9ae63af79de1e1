/**
 * The inputs for the data of a user. Autocomplete is off by default, because the browser would fill in the data of the
 * current user.
 */
import { PasswordInput, TextInput, type PasswordInputProps, type TextInputProps } from '@mantine/core';

export const NameInput = (props: TextInputProps) => (
  <TextInput label="Name" data-autofocus autoComplete="off" maxLength={255} dir="auto" {...props} />
);

const RequiredInput = (props: TextInputProps) => (
  <TextInput required withAsterisk={false} autoComplete="off" maxLength={255} {...props} />
);

export const UsernameInput = (props: TextInputProps) => <RequiredInput label="Username" {...props} />;

/** Not of type `email`, because browsers reject some valid addresses. The server validates it. */
export const EmailInput = (props: TextInputProps) => <RequiredInput label="E-mail" inputMode="email" {...props} />;

/** The password of another user. */
export const UserPasswordInput = (props: PasswordInputProps) => (
  <PasswordInput withAsterisk={false} minLength={12} maxLength={1024} autoComplete="new-password" {...props} />
);
