/** What a role is for, and which role is offered first. */
import { allPermissions, permissionText, shownPermissions } from './permission-text.ts';

const withPeriod = (text: string) => (/[.!?…]$/.test(text) ? text : `${text}.`);

/** The permissions of a role as a sentence. */
export function abilitiesText(permissions: readonly string[]): string {
  if (allPermissions.every((one) => permissions.includes(one))) return 'Can do everything.';
  const known = allPermissions.filter((one) => permissions.includes(one));
  const unknown = shownPermissions(permissions).filter((one) => !known.some((other) => other === one));
  const texts = [...known, ...unknown].map(permissionText);
  if (texts.length === 0) return 'Can do nothing.';
  return `Can ${texts.map((text) => text.charAt(0).toLowerCase() + text.slice(1)).join('; ')}.`;
}

export const roleText = ({ description, permissions }: { description: string; permissions: readonly string[] }) =>
  description.trim() === ''
    ? abilitiesText(permissions)
    : `${withPeriod(description.trim())} ${abilitiesText(permissions)}`;

/** The role `user` always exists and can only read, and `admin` has every permission. */
export const leastPowerful = (names: readonly string[]): string =>
  names.find((name) => name === 'user') ?? names.findLast((name) => name !== 'admin') ?? '';
