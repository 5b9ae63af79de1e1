/** The objects of a workflow file with their location. Values that the schema rejects are skipped. */
import type { DefinitionCallback, DefinitionState, DefinitionTransition } from './definition.ts';

/** A part of the definition with its location in the file. */
export type At<T> = T & { pointer: string };

export interface ReadState extends Omit<At<DefinitionState>, 'callbacks' | 'transitions'> {
  callbacks: At<DefinitionCallback>[];
  transitions: At<DefinitionTransition>[];
}

/** The arguments of a callback in the older layout can be beside its other fields. */
export interface CallbackEntry extends Entry {
  older?: { argumentsAt: string };
}

/** An object of the file. */
export type Entry = At<{ value: Readonly<Record<string, unknown>> }>;

export const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** The objects of a list. Other items are skipped. */
export function entriesOf({ pointer, value }: Entry, name: string): Entry[] {
  const list: unknown = value[name];
  if (!Array.isArray(list)) return [];
  return list.flatMap((item: unknown, index) =>
    isObject(item) ? [{ pointer: `${pointer}/${name}/${index}`, value: item }] : [],
  );
}

export const textOf = ({ value }: Entry, name: string): string => {
  const text = value[name];
  return typeof text === 'string' ? text : '';
};

export const labelOf = (entry: Entry, name = 'label'): string => textOf(entry, name).normalize('NFC');
