/** Finds entries of a configuration file that identify the same object. Only one of them could take effect. */
import { shortened, type Fault } from '@milepost/api';
import { atPosition, type YamlDocument } from '@milepost/definitions';
import { foldName } from '../../store/people/users.ts';
import type { ConfigDefinition } from './config-definition.ts';

type Positions = YamlDocument['positions'];

interface Identifying {
  list: keyof ConfigDefinition;
  field: string;
  fold?: (name: string) => string;
}

/** The fields that identify an entry, and how their values are compared. */
const identifying: readonly Identifying[] = [
  { list: 'roles', field: 'name' },
  { list: 'users', field: 'username', fold: foldName },
  { list: 'users', field: 'email', fold: foldName },
  { list: 'external_systems', field: 'system_name' },
  { list: 'scantypes', field: 'protocol' },
];

const maxFaults = 20;

/** One fault for each entry. */
export function findDuplicates(config: ConfigDefinition, positions: Positions): Fault[] {
  const faults = identifying.flatMap((field) => duplicatesBy(field, config, positions));
  const first = new Map(faults.toReversed().map(({ entry, fault }) => [entry, fault]));
  return [...first.values()].toReversed().slice(0, maxFaults);
}

function duplicatesBy(
  { list, field, fold = (name) => name }: Identifying,
  config: ConfigDefinition,
  positions: Positions,
) {
  const known = new Map<string, string>();
  return (config[list] ?? []).flatMap((entry, index) => {
    const value = String((entry as Record<string, unknown>)[field]);
    const pointer = `/${list}/${index}/${field}`;
    const earlier = known.get(fold(value));
    if (earlier === undefined) known.set(fold(value), pointer);
    if (earlier === undefined) return [];
    const { line } = atPosition(positions, '', { pointer: earlier, detail: '' });
    const detail = `${pointer} "${shortened(value)}" is already on line ${line}. Remove one of the entries.`;
    return [{ entry: `/${list}/${index}`, fault: { pointer, detail } }];
  });
}
