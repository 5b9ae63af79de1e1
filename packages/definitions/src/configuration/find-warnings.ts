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

/** Of one role. More warnings are not shown. */
const maxUnknown = 100;

const isKnown = (name: string) => permissions.some((known) => known === name);

function unknownIn(role: Entry): Finding<WarningCode>[] {
  const given = role.value['permissions'];
  const names = Array.isArray(given) ? given.filter((name) => typeof name === 'string') : given;
  const read = typeof names === 'string' || Array.isArray(names) ? (namesIn(names as string[] | string) ?? []) : [];
  const unknown = read.filter((name) => !isKnown(name));
  const consequence =
    unknown.length === read.length ? ' Without a known permission, the role does not allow reading.' : '';
  const pointerTo = pointersIn(role);
  return unknown.slice(0, maxUnknown).map((name) => ({
    code: 'unknown_permission',
    pointer: pointerTo(name),
    detail:
      `The role ${labelOf(role, 'name')} has the unknown permission "${name}", which has no effect. ` +
      `${suggestion(name, permissions)}${consequence}`,
  }));
}

/** Where a name is, or the list as a whole if it is text. */
function pointersIn({ pointer, value: { permissions: given } }: Entry): (name: string) => string {
  const listed = Array.isArray(given) ? given.map((one) => String(one).trim().normalize('NFC')) : [];
  const places = new Map(listed.map((name, index) => [name, index]));
  return (name) => `${pointer}/permissions${places.has(name) ? `/${places.get(name)}` : ''}`;
}
