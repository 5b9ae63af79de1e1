/**
 * What is asked of somebody's account, wherever it is made or changed. Unless told, the browser fills nothing in: it knows
 * who sits before it, and the account is of another.
 */
import { PasswordInput, TextInput, type PasswordInputProps, type TextInputProps } from '@mantine/core';

export const NameInput = (props: TextInputProps) => (
  <TextInput label="Name" data-autofocus autoComplete="off" maxLength={255} dir="auto" {...props} />
);

const Needed = (props: TextInputProps) => (
  <TextInput required withAsterisk={false} autoComplete="off" maxLength={255} {...props} />
);

export const UsernameInput = (props: TextInputProps) => <Needed label="Username" {...props} />;

/** The server judges it: of addresses that are in use browsers refuse some. */
export const EmailInput = (props: TextInputProps) => <Needed label="E-mail" inputMode="email" {...props} />;

/** A password that one gives to somebody else. */
export const PasswordForThem = (props: PasswordInputProps) => (
  <PasswordInput withAsterisk={false} minLength={12} maxLength={1024} autoComplete="new-password" {...props} />
);
