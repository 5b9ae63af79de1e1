/** Finds entries of a configuration file that identify the same object. Only one of them could take effect. */
import { shortened } from '@milepost/api';
import { entriesOf, textOf, type Entry } from '../file/entries.ts';
import type { ErrorCode } from '../file/finding-codes.ts';
import type { Finding } from '../file/findings.ts';
import type { Positions } from '../file/parse-yaml.ts';
import type { ConfigDefinition } from './configuration-file.ts';
import { foldName } from './fold-name.ts';

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
export function findDuplicates(file: Entry, positions: Positions): Finding<ErrorCode>[] {
  const faults = identifying.flatMap((field) => duplicatesBy(field, file, positions));
  const first = new Map(faults.toReversed().map(({ entry, fault }) => [entry, fault]));
  return [...first.values()].toReversed().slice(0, maxFaults);
}

interface Duplicate {
  /** The pointer to the later entry. */
  entry: string;
  fault: Finding<ErrorCode>;
}

function duplicatesBy({ list, field, fold = (name) => name }: Identifying, file: Entry, positions: Positions) {
  const known = new Map<string, string>();
  return entriesOf(file, list).flatMap((entry): Duplicate[] => {
    const value = textOf(entry, field);
    const pointer = `${entry.pointer}/${field}`;
    const earlier = known.get(fold(value));
    if (value === '') return [];
    if (earlier === undefined) known.set(fold(value), pointer);
    if (earlier === undefined) return [];
    const line = positions.get(earlier)?.line;
    const detail = `${pointer} "${shortened(value)}" is already on line ${line}. Remove one of the entries.`;
    return [{ entry: entry.pointer, fault: { code: 'repeated_label', pointer, detail } }];
  });
}
