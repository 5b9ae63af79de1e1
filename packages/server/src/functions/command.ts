/**
 * `command`, with the legacy name `external_program`: runs a program that the operator allows. The exit code decides the
 * result. A printed line `__VALUES__ = {json}` sets result values.
 */
import { homedir } from 'node:os';
import { suggestion } from '@milepost/api';
import { findCause } from '../causes/find-cause.ts';
import { commandArguments } from '@milepost/definitions';
import type { Static } from 'typebox';
import {
  PermanentFailure,
  TemporaryFailure,
  type CallbackFunction,
  type RunResult,
  type Run,
} from './callback-function.ts';
import { argumentsReader } from './read-arguments.ts';
import { secretsInCommand } from './sent-secrets.ts';
import { runProgram, type ProgramResult } from './run-program.ts';
import { readJson } from './storable.ts';

type Arguments = Static<typeof commandArguments>;

const readArguments = argumentsReader(commandArguments);

export type Programs = ReadonlyMap<string, string>;

export const createCommand =
  (programs: Programs): CallbackFunction =>
  async (run) => {
    const given = readArguments(run.arguments);
    const path = pathOf(given.binary, programs);
    const args = [...(given.args ?? []).map(String), ...flags(given.kwargs ?? {})];
    const printed = new PrintedValues();
    const start = performance.now();
    const finished = await startProgram(path, args, run, printed);
    run.signal.throwIfAborted();
    run.log(`${given.binary}: exit code ${finished.returnCode} in ${Math.round(performance.now() - start)} ms`);
    for (const name of finished.cut)
      run.log(`${given.binary}: ${name} is longer than 1 MiB. Only its beginning is kept.`);
    const secrets = [run.execution.secret, ...secretsInCommand(args)];
    return resultOf({ command: [path, ...args], secrets }, finished, printed, given.expected_return_code);
  };

function pathOf(binary: string, programs: Programs): string {
  const path = programs.get(binary);
  if (path !== undefined) return path;
  throw new PermanentFailure(
    `binary "${binary}" is not in MILEPOST_COMMANDS. ${suggestion(binary, [...programs.keys()])}`,
  );
}

/** A list repeats its flag, true adds the flag without a value, false and null omit it. */
const flags = (kwargs: NonNullable<Arguments['kwargs']>): string[] =>
  Object.entries(kwargs).flatMap(([flag, value]) => {
    if (value === null || value === false) return [];
    if (value === true) return [flag];
    return [value].flat().flatMap((one) => [flag, String(one)]);
  });

/** Contains none of the worker's own environment, so a program cannot read its settings. */
const environmentOf = ({ execution, trace }: Run) => ({
  PATH: '/usr/local/bin:/usr/bin:/bin',
  LANG: 'C.UTF-8',
  HOME: homedir(),
  MILEPOST_EXECUTION_URI: execution.apiUri,
  MILEPOST_EXECUTION_SECRET: execution.secret,
  MILEPOST_EXECUTION_ATTEMPT: String(execution.attempt),
  ...(trace?.traceparent !== undefined && { TRACEPARENT: trace.traceparent }),
});

async function startProgram(
  path: string,
  args: readonly string[],
  run: Run,
  printed: PrintedValues,
): Promise<ProgramResult> {
  try {
    const onLine = (line: string) => printed.read(line);
    return await runProgram({ path, args, environment: environmentOf(run), signal: run.signal, onLine });
  } catch (error) {
    const { code = '', message } = error as NodeJS.ErrnoException;
    const Failure = outOfResources.has(code) ? TemporaryFailure : PermanentFailure;
    throw new Failure(`Cannot run ${path}: ${message}.`, { cause: error });
  }
}

/** The machine is out of resources, so a retry may succeed. */
const outOfResources = new Set(['EAGAIN', 'ENOMEM', 'EMFILE', 'ENFILE', 'ETXTBSY']);

/** Values of the last line `__VALUES__ = {json}`. */
class PrintedValues {
  values: Record<string, unknown> = {};
  isInvalid = false;

  read(line: string): void {
    const [, text] = /^__VALUES__\s*=(.*)$/s.exec(line) ?? [];
    if (text === undefined) return;
    const value = readJson(text);
    this.isInvalid = typeof value !== 'object' || value === null || Array.isArray(value);
    this.values = this.isInvalid ? {} : (value as Record<string, unknown>);
  }
}

function resultOf(
  { command, secrets }: { command: string[]; secrets: readonly string[] },
  { returnCode, stdout, stderr, ends }: ProgramResult,
  printed: PrintedValues,
  expected: Arguments['expected_return_code'] = 0,
): RunResult {
  const values = { command, stdout, stderr, return_code: returnCode, values: printed.values };
  if (expected !== null && ![expected].flat().includes(returnCode)) {
    const reason = `Unexpected exit code: ${returnCode} (expected ${[expected].flat().join(' or ')}).`;
    const cause = findCause([{ output: ends.stderr }, { output: ends.stdout }], secrets);
    return { result: 'failed', values, reason, cause };
  }
  return printed.isInvalid
    ? { result: 'failed', values, reason: 'The printed __VALUES__ line does not contain a JSON object.' }
    : { result: 'success', values };
}
