/** Finds entries of a configuration file that identify the same object. Only one of them could take effect. */
import type { Fault } from '@milepost/api';
import { atPosition, type YamlDocument } from '@milepost/definitions';
import { foldName } from '../../store/people/users.ts';
import type { ConfigDefinition } from './config-definition.ts';

type List = keyof ConfigDefinition;
type Positions = YamlDocument['positions'];

/** The fields that identify an entry, and how their values are compared. */
const identifying: readonly { list: List; field: string; fold?: (name: string) => string }[] = [
  { list: 'roles', field: 'name' },
  { list: 'users', field: 'username', fold: foldName },
  { list: 'users', field: 'email', fold: foldName },
  { list: 'external_systems', field: 'system_name' },
  { list: 'scantypes', field: 'protocol' },
];

export const findDuplicates = (config: ConfigDefinition, positions: Positions): Fault[] =>
  identifying.flatMap(({ list, field, fold = (name) => name }) => {
    const first = new Map<string, string>();
    return (config[list] ?? []).flatMap((entry, index) => {
      const value = String((entry as Record<string, unknown>)[field]);
      const pointer = `/${list}/${index}/${field}`;
      const earlier = first.get(fold(value));
      if (earlier === undefined) first.set(fold(value), pointer);
      return earlier === undefined ? [] : [{ pointer, detail: detailOf(positions, pointer, value, earlier) }];
    });
  });

function detailOf(positions: Positions, pointer: string, value: string, earlier: string): string {
  const { line } = atPosition(positions, '', { pointer: earlier, detail: '' });
  return `${pointer} "${value}" is already in line ${line}. Remove one of the entries.`;
}
