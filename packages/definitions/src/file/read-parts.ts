/**
 * Reads the parts of a workflow file, in either layout, into one form. Faults that the schema check has reported are skipped
 * here, so that all other faults of the file are still found.
 */
import { outcomes } from '@milepost/api';
import { callbackDefaults, callbackFields, movers } from './definition.ts';
import type { DefinitionCallback, DefinitionTransition, Mover, StateLook } from './definition.ts';
import { readDecision } from './decision.ts';
import { checkArguments } from '../arguments/check-arguments.ts';
import { entriesOf, isObject, labelOf, textOf } from './entries.ts';
import type { At, CallbackEntry, Entry, ReadState } from './entries.ts';
import type { Findings } from './findings.ts';
import { readConditionOf } from './definition-condition.ts';
import { checkQueue, readArguments, readTextOfObject, readVariableMap } from './read-values.ts';

export function readState(findings: Findings, entry: Entry): ReadState {
  const entries: CallbackEntry[] = [...entriesOf(entry, 'callbacks'), ...olderCallback(findings, entry)];
  if ('callbacks' in entry.value && 'callback' in entry.value) {
    const detail = `${entry.pointer} has both callbacks and callback (older layout). Keep only callbacks.`;
    findings.faults.push({ code: 'invalid_value', pointer: `${entry.pointer}/callback`, detail });
  }
  const callbacks = entries.map((callback) => readWholeCallback(findings, callback));
  const areKnown = Array.isArray(entry.value['callbacks'] ?? []);
  return {
    pointer: entry.pointer,
    label: labelOf(entry),
    freetext: textOf(entry, 'freetext'),
    callbacks,
    transitions: entriesOf(entry, 'transitions').map((transition) =>
      readTransition(findings, transition, areKnown ? callbacks : undefined),
    ),
    ...readLook(findings, entry),
  };
}

function readLook(findings: Findings, entry: Entry): StateLook {
  const [title, colour] = [labelOf(entry, 'title'), textOf(entry, 'colour').toLowerCase()];
  const outcome = outcomes.find((known) => known === entry.value['outcome']);
  const decision = readDecision(findings, entry);
  return {
    ...(title && { title }),
    ...(colour && { colour }),
    ...(outcome && { outcome }),
    ...(decision && { decision }),
  };
}

/** A function name, an object with the function and its arguments side by side, or that object as text. */
function olderCallback(findings: Findings, entry: Entry): CallbackEntry[] {
  const pointer = `${entry.pointer}/callback`;
  const given = entry.value['callback'];
  if (typeof given === 'string') return given.trim() === '' ? [] : olderText(findings, pointer, given);
  return isObject(given)
    ? [{ pointer, value: withArguments(given), older: { argumentsAt: argumentsOf(pointer, given) } }]
    : [];
}

const argumentsOf = (pointer: string, given: Readonly<Record<string, unknown>>) =>
  'callback_arguments' in given ? `${pointer}/callback_arguments` : pointer;

function olderText(findings: Findings, pointer: string, text: string): CallbackEntry[] {
  const older = { argumentsAt: pointer };
  if (/^[\w.-]+$/.test(text.trim())) return [{ pointer, older, value: { label: text.trim(), function: text.trim() } }];
  const value = readTextOfObject(findings, pointer, text);
  if (value === undefined) return [];
  if (typeof value['function'] === 'string') return [{ pointer, older, value: withArguments(value) }];
  findings.faults.push({ code: 'missing_field', pointer, detail: `${pointer} needs a function.` });
  return [];
}

const isOption = ([name]: [string, unknown]) => callbackFields.includes(name);

function withArguments(given: Record<string, unknown>): Record<string, unknown> {
  const options = Object.fromEntries(Object.entries(given).filter(isOption));
  const others = Object.fromEntries(Object.entries(given).filter((field) => !isOption(field)));
  const beside = 'callback_arguments' in given ? {} : { callback_arguments: others };
  return { label: given['function'], ...options, ...beside };
}

/** Reads a callback of a file, and checks its arguments unless they cannot be read. */
function readWholeCallback(findings: Findings, entry: CallbackEntry): At<DefinitionCallback> {
  const before = findings.faults.length;
  const callback = readCallback(findings, entry);
  const given = entry.value['callback_arguments'] ?? {};
  const isReadable = typeof given === 'string' ? findings.faults.length === before : isObject(given);
  const isOlder = entry.older !== undefined;
  const pointer = entry.older?.argumentsAt ?? `${entry.pointer}/callback_arguments`;
  if (isReadable) checkArguments(findings, callback, { pointer, isOlder });
  return callback;
}

export function readCallback(findings: Findings, entry: Entry): At<DefinitionCallback> {
  const callback = {
    pointer: entry.pointer,
    label: labelOf(entry),
    function: labelOf(entry, 'function'),
    callback_arguments: readArguments(findings, entry),
    condition: readConditionOf(findings, entry, { kind: 'callback' }),
    description: textOf(entry, 'description'),
    ...numbersOf(entry),
    variable_map: readVariableMap(findings, entry),
  };
  if (callback.function === 'wait' && (entry.value['wait_timeout'] ?? 0) === 0) {
    const detail = `${entry.pointer || 'The callback'} waits for a report and needs a wait_timeout (minutes) greater than 0.`;
    findings.faults.push({ code: 'missing_field', pointer: `${entry.pointer}/wait_timeout`, detail });
  }
  const { queue } = callback.callback_arguments;
  if (callback.function === 'worker' && queue !== undefined) {
    checkQueue(findings, `${entry.pointer}/callback_arguments/queue`, queue);
  }
  return callback;
}

function numbersOf({ value }: Entry): typeof callbackDefaults {
  const given = (name: keyof typeof callbackDefaults) => {
    const number = value[name];
    return typeof number === 'number' ? number : callbackDefaults[name];
  };
  return {
    initial_delay: given('initial_delay'),
    run_timeout: given('run_timeout'),
    wait_timeout: given('wait_timeout'),
    retry_for: given('retry_for'),
    retry_first: given('retry_first'),
  };
}

/** `callbacks` are those of the source state, which the condition can read. */
export function readTransition(
  findings: Findings,
  entry: Entry,
  callbacks: readonly DefinitionCallback[] | undefined,
): At<DefinitionTransition> {
  const callbackLabels = callbacks?.map(({ label }) => label);
  const title = labelOf(entry, 'title');
  return {
    pointer: entry.pointer,
    destination: labelOf(entry, 'destination'),
    condition: readConditionOf(findings, entry, { kind: 'transition', ...(callbackLabels && { callbackLabels }) }),
    by: moverOf(entry),
    ...(title && { title }),
  };
}

const moverOf = (entry: Entry): Mover => movers.find((mover) => mover === entry.value['by']) ?? 'both';
