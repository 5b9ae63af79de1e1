/** Reads roles and the values of a new account from the claims of a provider, which can contain anything. */
import { faultFinder, peopleOperations } from '@milepost/api';

export type Claims = Readonly<Record<string, unknown>>;

const isObject = (value: unknown): value is Claims => typeof value === 'object' && value !== null;

/** Reads a path such as `groups` or `realm_access.roles`. A claim whose own name contains the dots takes precedence. */
function claimAt(claims: Claims, path: string): unknown {
  if (Object.hasOwn(claims, path)) return claims[path];
  return path
    .split('.')
    .reduce<unknown>(
      (inner, name) => (isObject(inner) && Object.hasOwn(inner, name) ? inner[name] : undefined),
      claims,
    );
}

/** The roles of the map whose value the claim contains exactly. */
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

/** A valid username from the part of `preferred_username` before an `@`, reduced to letters, digits, `.`, `_` and `-`. */
export function usernameFrom(claims: Claims): string {
  const [name = ''] = textAt(claims, 'preferred_username').normalize('NFKC').split('@', 1);
  const valid = name
    .replaceAll(/[^\p{L}\p{N}._-]+/gu, '-')
    .slice(0, longestUsername)
    .toWellFormed();
  return valid.replaceAll(/^[^\p{L}\p{N}]+|[^\p{L}\p{N}]+$/gu, '') || 'user';
}

const emailFaults = faultFinder(peopleOperations.createUser.body.properties.email);

/** Undefined unless the provider has verified the address. */
export function emailFrom(claims: Claims): string | undefined {
  const email = textAt(claims, 'email');
  return claims['email_verified'] === true && emailFaults(email).length === 0 ? email : undefined;
}

export const nameFrom = (claims: Claims): string => textAt(claims, 'name').slice(0, 255).toWellFormed();
