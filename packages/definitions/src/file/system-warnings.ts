/**
 * Warns about external systems that arguments name and that are not defined. Systems are defined in a configuration file or on a
 * server, so the file alone cannot tell.
 */
import { shortened, suggestion } from '@milepost/api';
import type { AllowedWarnings } from './allowed-warnings.ts';
import { placeWarnings, type NameUse, type Source, type Warning } from './findings.ts';

export interface SystemUse {
  name: string;
  line: number | null;
  column: number | null;
}

const maxSystems = 100;

/** Where each system is first named, without those whose warning a comment allows. */
export function placeSystems(source: Source, systems: readonly NameUse[], { allowed }: AllowedWarnings): SystemUse[] {
  const first = new Map(systems.toReversed().map((use) => [use.name, use]));
  return [...first.values()]
    .toReversed()
    .slice(0, maxSystems)
    .map(({ name, ...place }) => {
      const [warning] = placeWarnings(source, [{ code: 'unknown_system', detail: '', ...place }]);
      return { name, line: warning?.line ?? null, column: warning?.column ?? null };
    })
    .filter(({ line }) => !allowed.some(({ code, of }) => code === 'unknown_system' && of === line));
}

/** `known` are the names of the systems that exist. */
export const unknownSystems = (systems: readonly SystemUse[], known: readonly string[]): Warning[] =>
  systems
    .filter(({ name }) => !known.includes(name))
    .map(({ name, line, column }) => ({
      code: 'unknown_system',
      message: `No external system has the name "${shortened(name)}". ${suggestion(name, known)}`,
      line,
      column,
    }));
