/** Warnings about roles in a configuration file: permissions that do not exist, and the role `admin`, which cannot change. */
import { permissions, suggestion } from '@milepost/api';
import { entriesOf, labelOf, type Entry } from '../file/entries.ts';
import type { WarningCode } from '../file/finding-codes.ts';
import type { Finding } from '../file/findings.ts';
import { namesIn } from './configuration-file.ts';

export const warningsAboutRoles = (file: Entry): Finding<WarningCode>[] =>
  entriesOf(file, 'roles').flatMap((role) => (labelOf(role, 'name') === 'admin' ? [ignored(role)] : unknownIn(role)));

const ignored = ({ pointer }: Entry): Finding<WarningCode> => ({
  code: 'ignored_part',
  pointer,
  detail: 'The role `admin` always has every permission. Its entry in the file was ignored.',
});

const isKnown = (name: string) => permissions.some((known) => known === name);

function unknownIn(role: Entry): Finding<WarningCode>[] {
  const given = role.value['permissions'];
  const names = Array.isArray(given) ? given.filter((name) => typeof name === 'string') : given;
  const read = typeof names === 'string' || Array.isArray(names) ? (namesIn(names as string[] | string) ?? []) : [];
  const unknown = read.filter((name) => !isKnown(name));
  const consequence =
    unknown.length === read.length ? ' Without a known permission, the role does not allow reading.' : '';
  return unknown.map((name) => ({
    code: 'unknown_permission',
    pointer: pointerTo(role, name),
    detail:
      `The role ${labelOf(role, 'name')} has the unknown permission "${name}", which has no effect. ` +
      `${suggestion(name, permissions)}${consequence}`,
  }));
}

/** The list as a whole if it is text. */
function pointerTo({ pointer, value }: Entry, name: string): string {
  const { permissions: given } = value;
  const index = Array.isArray(given) ? given.findIndex((one) => String(one).trim().normalize('NFC') === name) : -1;
  return index === -1 ? `${pointer}/permissions` : `${pointer}/permissions/${index}`;
}
