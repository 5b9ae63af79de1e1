/**
 * The schema of the configuration file (YAML): roles, users, external systems and scan types, each optional. Fields of a user
 * accept the same values as in `createUser`.
 */
import { peopleOperations, values as v } from '@milepost/api';
import { Type, type Static, type TSchema } from 'typebox';

const user = peopleOperations.createUser.body.properties;

const listOf = <S extends TSchema>(entry: S) => Type.Optional(Type.Array(entry));

const Names = Type.Union([Type.Array(v.Label), Type.String({ maxLength: 10_000 })], {
  description: 'A list, or comma-separated text.',
});

const Role = v.closed({
  name: v.Label,
  description: Type.Optional(v.LongText),
  permissions: Type.Optional(Names),
});

/** A password that is rejected is not a fault of the file: its user is imported without one. */
const User = v.closed({
  username: user.username,
  email: user.email,
  password: Type.Optional(Type.String()),
  name: user.name,
  active: user.active,
  roles: Type.Optional(Names),
});

const ExternalSystem = v.closed({ system_name: v.SystemName, url: v.Url });
const Scantype = v.closed({ protocol: v.Label, modality: Type.Optional(Type.String({ maxLength: 255 })) });

export const ConfigDefinition = v.closed({
  roles: listOf(Role),
  users: listOf(User),
  external_systems: listOf(ExternalSystem),
  scantypes: listOf(Scantype),
});

export type ConfigDefinition = Static<typeof ConfigDefinition>;
export type RoleEntry = Static<typeof Role>;
export type UserEntry = Static<typeof User>;
export type ExternalSystemEntry = Static<typeof ExternalSystem>;
export type ScantypeEntry = Static<typeof Scantype>;

/** `[a, b]` and `a, b` mean the same, and a repeated name counts once. Undefined stays undefined. */
export function namesIn(names: Static<typeof Names> | undefined): string[] | undefined {
  const given = typeof names === 'string' ? names.split(',') : names;
  const unique = given && new Set(given.map((name) => name.trim().normalize('NFC')));
  return unique && [...unique].filter((name) => name !== '');
}
