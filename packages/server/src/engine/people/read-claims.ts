/** What the claims of a provider come to here: roles, and the values of a new account. Nothing in them is trusted to fit. */
import { peopleOperations } from '@milepost/api';
import { faultFinder } from '../../validation/validate.ts';

export type Claims = Readonly<Record<string, unknown>>;

const isObject = (value: unknown): value is Claims => typeof value === 'object' && value !== null;

/** `groups`, or a place inside one, such as `realm_access.roles`. A claim whose own name holds dots comes first. */
function claimAt(claims: Claims, path: string): unknown {
  if (Object.hasOwn(claims, path)) return claims[path];
  return path
    .split('.')
    .reduce<unknown>(
      (inner, name) => (isObject(inner) && Object.hasOwn(inner, name) ? inner[name] : undefined),
      claims,
    );
}

/** The roles that the claim gives. Values are compared exactly. */
export function rolesFrom(claims: Claims, path: string, map: ReadonlyMap<string, string>): Set<string> {
  const claimed = new Set([claimAt(claims, path)].flat());
  return new Set([...map].flatMap(([value, role]) => (claimed.has(value) ? [role] : [])));
}

const textAt = (claims: Claims, name: string): string => {
  const value = claims[name];
  return typeof value === 'string'
    ? value
        .toWellFormed()
        .replaceAll(/\p{Cc}/gu, '')
        .trim()
    : '';
};

const longestUsername = 100;

/** A legal username, near to what the provider calls the person: what stands before an `@`, of letters, digits, dots and hyphens. */
export function usernameFrom(claims: Claims): string {
  const [given = ''] = textAt(claims, 'preferred_username').normalize('NFKC').split('@', 1);
  const legal = given
    .replaceAll(/[^\p{L}\p{N}._-]+/gu, '-')
    .slice(0, longestUsername)
    .toWellFormed();
  return legal.replaceAll(/^[^\p{L}\p{N}]+|[^\p{L}\p{N}]+$/gu, '') || 'user';
}

const emailFaults = faultFinder(peopleOperations.createUser.body.properties.email);

/** Only one that the provider has verified. */
export function emailFrom(claims: Claims): string | undefined {
  const email = textAt(claims, 'email');
  return claims['email_verified'] === true && emailFaults(email).length === 0 ? email : undefined;
}

export const nameFrom = (claims: Claims): string => textAt(claims, 'name').slice(0, 255).toWellFormed();
