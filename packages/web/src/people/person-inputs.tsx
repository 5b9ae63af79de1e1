/** What is asked of somebody's account, wherever it is made or changed. Nothing is filled in by the browser: it is of another. */
import { PasswordInput, TextInput, type PasswordInputProps, type TextInputProps } from '@mantine/core';

export const NameInput = (props: TextInputProps) => (
  <TextInput label="Name" data-autofocus autoComplete="off" maxLength={255} dir="auto" {...props} />
);

export const EmailInput = (props: TextInputProps) => (
  <TextInput type="email" label="E-mail" required withAsterisk={false} autoComplete="off" maxLength={255} {...props} />
);

/** A password that one gives to somebody else. */
export const PasswordForThem = (props: PasswordInputProps) => (
  <PasswordInput withAsterisk={false} minLength={12} maxLength={1024} autoComplete="new-password" {...props} />
);
