/**
 * Reads a workflow file (YAML, in either layout) into a definition. Reports all faults together, each with its position and a
 * fix (docs/decisions/0008), and the warnings.
 */
import type { Fault } from '@milepost/api';
import { faultFinder } from '@milepost/api';
import { callbackFields, WorkflowFile, type Definition } from './definition.ts';
import { entriesOf, isObject, labelOf, type At, type Entry, type ReadState } from './entries.ts';
import { onLine, readAllowed, withoutAllowed } from './allowed-warnings.ts';
import { codeOfSchemaFault, warningCodes, type ErrorCode, type WarningCode } from './finding-codes.ts';
import { firstFaults, firstWarnings, placeFaults, placeWarnings } from './findings.ts';
import type { Finding, Findings, Source, Warning } from './findings.ts';
import { adviceForField } from './meant-fields.ts';
import { renameFields } from './rename-fields.ts';
import { placeSystems, type SystemUse } from './system-warnings.ts';
import { unsetVariables } from './variable-warnings.ts';
import { findWarnings } from './warnings.ts';
import { loadYaml } from './parse-yaml.ts';
import { addUnknownState, checkDestinations, checkLabels, findStart } from './check-graph.ts';
import { readState, readTransition } from './read-parts.ts';

export interface ReadDefinition {
  definition: Definition;
  warnings: Warning[];
  /** The external systems that arguments name. The file does not define them. */
  systems: SystemUse[];
  faults: [];
}

/** A file with faults can also have warnings. */
export type DefinitionReading =
  | ReadDefinition
  | { definition: undefined; warnings: Warning[]; systems: SystemUse[]; faults: Fault[] };

const maxSchemaFaults = 1000;
const findFaults = faultFinder(WorkflowFile, undefined, maxSchemaFaults);

/** `pointer` is the location of the text in the body. */
export function readDefinitionFile(text: string, pointer: string): DefinitionReading {
  const document = loadYaml(text, pointer, renameFields);
  const comments = readAllowed(text);
  const early = [...document.faults, ...comments.faults.map((fault) => ({ ...onLine(fault), pointer }))];
  if (document.value === undefined)
    return { definition: undefined, warnings: [], systems: [], faults: firstFaults(early, pointer) };
  const file: Entry = { pointer: '', value: withoutNulls(document.value) };
  const { findings, states, start } = check(file);
  const found = findings.faults.length + findings.warnings.length + findings.systems.length;
  const source: Source = found === 0 ? nothingPlaced : { lines: text.split('\n'), positions: document.findPositions() };
  const faults = firstFaults([...early, ...placeFaults(source, pointer, findings.faults)], pointer);
  // A fault can hide warnings.
  const unchecked = faults.length > 0 ? warningCodes : (['unknown_system'] as const);
  const warnings = firstWarnings(withoutAllowed(placeWarnings(source, findings.warnings), comments, unchecked));
  const systems = placeSystems(source, findings.systems, comments);
  if (faults.length > 0) return { definition: undefined, warnings, systems, faults };
  return {
    definition: { label: labelOf(file), initial: start, states: states.map(withoutPointers) },
    warnings,
    systems,
    faults: [],
  };
}

/** Positions take as long as parsing, so they are computed only for findings. */
const nothingPlaced: Source = { lines: [], positions: new Map() };

function withAdvice(file: Entry, fault: Fault): Finding<ErrorCode> {
  const code = codeOfSchemaFault(fault.detail);
  const advice = code === 'unknown_field' ? adviceForField(fault.pointer, partAround(file, fault.pointer)) : undefined;
  if (advice !== undefined) return { ...fault, code, detail: `${fault.pointer} is not a known field. ${advice}` };
  const isNoList = fault.detail.endsWith(' must be a list.');
  return { ...fault, code, detail: isNoList ? `${fault.detail} Begin each item with "- ".` : fault.detail };
}

/** The object that has the field. */
function partAround({ value }: Entry, pointer: string): object {
  const steps = pointer.split('/').slice(1, -1);
  const found = steps.reduce<unknown>((part, step) => (part as Record<string, unknown> | undefined)?.[step], value);
  return isObject(found) ? found : {};
}

function check(file: Entry) {
  const schemaFaults = findFaults(file.value).map((fault) => withAdvice(file, fault));
  const findings: Required<Findings> = { faults: schemaFaults, warnings: ignoredParts(file), reads: [], systems: [] };
  const states = readStates(findings, file);
  const start = checkGraph(findings, file, states);
  findings.warnings.push(...findWarnings(states, start, findings.faults), ...unsetVariables(states, findings.reads));
  return { findings, states, start };
}

function readStates(findings: Findings, file: Entry): ReadState[] {
  const states = entriesOf(file, 'states').map((entry) => readState(findings, entry));
  const byLabel = new Map(states.map((state) => [state.label, state]));
  for (const entry of entriesOf(file, 'transitions')) {
    const source = byLabel.get(labelOf(entry, 'source'));
    const transition = readTransition(findings, entry, source?.callbacks);
    if (source) source.transitions.push(transition);
    else if (labelOf(entry, 'source') !== '')
      addUnknownState(findings, `${entry.pointer}/source`, labelOf(entry, 'source'), states);
  }
  return states;
}

function checkGraph(findings: Findings, file: Entry, states: ReadState[]): string {
  checkLabels(findings, states);
  checkDestinations(findings, states);
  const initial = typeof file.value['initial'] === 'string' ? labelOf(file, 'initial') : undefined;
  return findStart(findings, states, initial);
}

/** Removes keys without a value (`callbacks:`) at the top level and in states, callbacks, transitions and decisions. */
function withoutNulls(value: unknown): Record<string, unknown> {
  const fields: [string, unknown][] = Object.entries(value as object);
  return Object.fromEntries(
    fields.filter(([, inner]) => inner !== null).map(([name, inner]) => [name, clean(name, inner)]),
  );
}

function clean(name: string, inner: unknown): unknown {
  if (Array.isArray(inner) && lists.has(name))
    return inner.map((item: unknown) => (isObject(item) ? withoutNulls(item) : item));
  if (name === 'decision' && isObject(inner)) return withoutNulls(inner);
  if (name !== 'callback' || !isObject(inner)) return inner;
  // Arguments of the function can be null, unlike options.
  return Object.fromEntries(
    Object.entries(inner).filter(([option, given]) => given !== null || !callbackFields.includes(option)),
  );
}

const lists = new Set(['states', 'callbacks', 'transitions', 'show', 'fields']);

const inConfiguration = 'is not part of a workflow and was ignored. Import it with a configuration file.';

function ignoredParts(file: Entry): Finding<WarningCode>[] {
  const ignored = ['external_systems', 'scantypes']
    .filter((name) => name in file.value)
    .map((name): Finding<WarningCode> => ({
      code: 'ignored_part',
      pointer: `/${name}`,
      detail: `${name} ${inConfiguration}`,
    }));
  const lifespans = entriesOf(file, 'states')
    .filter(({ value }) => 'lifespan' in value)
    .map(({ pointer }): Finding<WarningCode> => ({
      code: 'ignored_part',
      pointer: `${pointer}/lifespan`,
      detail: 'lifespan has no effect and was ignored.',
    }));
  return [...ignored, ...lifespans];
}

function withoutPointer<T>({ pointer: _pointer, ...part }: At<T>) {
  return part;
}

const withoutPointers = (state: ReadState) => ({
  ...withoutPointer(state),
  callbacks: state.callbacks.map(withoutPointer),
  transitions: state.transitions.map(withoutPointer),
});
