/** Checks the arguments of a callback: their names and types, their placeholders, and the external systems that they need. */
import { escapePointer } from '@milepost/api';
import type { DefinitionCallback } from '../file/definition.ts';
import type { At } from '../file/entries.ts';
import type { ErrorCode } from '../file/finding-codes.ts';
import { hasEnough, type Finding, type Findings } from '../file/findings.ts';
import { argumentFaults } from './argument-faults.ts';
import { faultOfPlaceholder, placeholdersIn, systemPrefix, variablePrefix } from './placeholders.ts';

export interface ArgumentPlace {
  /** The location of the arguments in the file. */
  pointer: string;
  /** In the older layout, wrong arguments are warnings, because such files must still import. */
  isOlder: boolean;
}

export function checkArguments(findings: Findings, callback: At<DefinitionCallback>, place: ArgumentPlace): void {
  const { function: name, callback_arguments: given } = callback;
  if (hasEnough(findings)) return;
  const areBeside = place.isOlder && !place.pointer.endsWith('/callback_arguments');
  const faults = argumentFaults(name, given, areBeside)
    // The name of a queue has its own check.
    .filter(({ path }) => name !== 'worker' || path !== '/queue')
    .map(({ code, path, detail }): Finding<ErrorCode> => ({ code, pointer: place.pointer + path, detail }));
  for (const { text, pointer } of textsIn(given, place.pointer)) {
    if (faults.length >= maxOfCallback) break;
    faults.push(...placeholderFaults(findings, text, pointer).slice(0, maxOfCallback));
  }
  if (name === 'create_task') addTaskSystems(findings, given, callback.pointer);
  if (place.isOlder)
    findings.warnings.push(...faults.map((fault) => ({ ...fault, code: 'invalid_arguments' as const })));
  else findings.faults.push(...faults);
}

const maxOfCallback = 100;
/** Of one text. */
const maxPlaceholders = 1000;

function placeholderFaults({ reads, systems }: Findings, text: string, pointer: string): Finding<ErrorCode>[] {
  return placeholdersIn(text)
    .slice(0, maxPlaceholders)
    .flatMap(({ name, offset }) => {
      if (name.startsWith(variablePrefix)) reads?.push({ name: name.slice(variablePrefix.length), pointer, offset });
      if (name.startsWith(systemPrefix)) systems?.push({ name: name.slice(systemPrefix.length), pointer, offset });
      const detail = faultOfPlaceholder(name);
      return detail === undefined ? [] : [{ code: 'unknown_placeholder', pointer, detail, offset }];
    });
}

/** The argument that names a system, and the system without that argument. */
const taskSystems = { taskmanager_external_system_name: 'TASKMANAGER', xnat_external_system: 'XNAT' };

function addTaskSystems({ systems }: Findings, given: Readonly<Record<string, unknown>>, pointer: string): void {
  for (const [argument, otherwise] of Object.entries(taskSystems)) {
    const name = given[argument] ?? otherwise;
    if (typeof name === 'string' && !name.includes('{{')) systems?.push({ name, pointer });
  }
}

interface TextAt {
  text: string;
  pointer: string;
}

function textsIn(value: unknown, pointer: string): TextAt[] {
  if (typeof value === 'string') return value.includes('{{') || value.includes('$') ? [{ text: value, pointer }] : [];
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([name, inner]) => textsIn(inner, `${pointer}/${escapePointer(name)}`));
}
