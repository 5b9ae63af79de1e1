/**
 * `command`, and `external_program` as older files call it: runs a program that the operator gave a name. The exit code
 * decides; what it prints as `__VALUES__ = {json}` becomes values.
 */
import { homedir } from 'node:os';
import { values as v } from '@milepost/api';
import { Type, type Static } from 'typebox';
import { suggestion } from '../nearest-name.ts';
import { LastingFailure, PassingFailure, type CallbackFunction, type Ended, type Run } from './callback-function.ts';
import { argumentsReader } from './read-arguments.ts';
import { runProgram, type Finished } from './run-program.ts';
import { readJson } from './storable.ts';

const Word = Type.Union([Type.String(), Type.Number()]);
const Code = Type.Integer();

export const commandArguments = v.closed({
  binary: Type.String({ minLength: 1 }),
  args: Type.Optional(Type.Array(Word)),
  kwargs: Type.Optional(v.mapOf(Type.Union([Word, Type.Boolean(), Type.Null(), Type.Array(Word)]))),
  expected_return_code: Type.Optional(Type.Union([Code, Type.Array(Code, { minItems: 1 }), Type.Null()])),
});
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
    const finished = await started(path, args, run, printed);
    run.signal.throwIfAborted();
    run.log(`${given.binary}: exit code ${finished.returnCode} in ${Math.round(performance.now() - start)} ms`);
    for (const name of finished.cut)
      run.log(`${given.binary}: ${name} is longer than 1 MiB; only its beginning is kept`);
    return ended([path, ...args], finished, printed, given.expected_return_code);
  };

function pathOf(binary: string, programs: Programs): string {
  const path = programs.get(binary);
  if (path !== undefined) return path;
  throw new LastingFailure(
    `binary is "${binary}", which is no program that the operator allows with MILEPOST_COMMANDS: ${suggestion(binary, [...programs.keys()])}`,
  );
}

/** A list repeats its flag, true is the flag alone, false and null are nothing. */
const flags = (kwargs: NonNullable<Arguments['kwargs']>): string[] =>
  Object.entries(kwargs).flatMap(([flag, value]) => {
    if (value === null || value === false) return [];
    if (value === true) return [flag];
    return [value].flat().flatMap((one) => [flag, String(one)]);
  });

/** Always the same, so that a program finds nothing of the server's own settings. */
const environmentOf = ({ execution }: Run) => ({
  PATH: '/usr/local/bin:/usr/bin:/bin',
  LANG: 'C.UTF-8',
  HOME: homedir(),
  MILEPOST_EXECUTION_URI: execution.apiUri,
  MILEPOST_EXECUTION_SECRET: execution.secret,
  MILEPOST_EXECUTION_ATTEMPT: String(execution.attempt),
});

async function started(path: string, args: readonly string[], run: Run, printed: PrintedValues): Promise<Finished> {
  try {
    const onLine = (line: string) => printed.read(line);
    return await runProgram({ path, args, environment: environmentOf(run), signal: run.signal, onLine });
  } catch (error) {
    const { code = '', message } = error as NodeJS.ErrnoException;
    const Failure = outOfResources.has(code) ? PassingFailure : LastingFailure;
    throw new Failure(`${path} cannot be run: ${message}.`, { cause: error });
  }
}

/** The machine is busy; another time it may not be. */
const outOfResources = new Set(['EAGAIN', 'ENOMEM', 'EMFILE', 'ENFILE', 'ETXTBSY']);

/** The last line `__VALUES__ = {json}` counts. */
class PrintedValues {
  values: Record<string, unknown> = {};
  isBroken = false;

  read(line: string): void {
    const [, text] = /^__VALUES__\s*=(.*)$/s.exec(line) ?? [];
    if (text === undefined) return;
    const value = readJson(text);
    this.isBroken = typeof value !== 'object' || value === null || Array.isArray(value);
    this.values = this.isBroken ? {} : (value as Record<string, unknown>);
  }
}

function ended(
  command: string[],
  { returnCode, stdout, stderr }: Finished,
  printed: PrintedValues,
  expected: Arguments['expected_return_code'] = 0,
): Ended {
  const values = { command, stdout, stderr, return_code: returnCode, values: printed.values };
  if (expected !== null && ![expected].flat().includes(returnCode)) {
    return { result: 'failed', values, reason: `The program ended with ${returnCode}, which is not expected.` };
  }
  return printed.isBroken
    ? { result: 'failed', values, reason: 'What the program printed as __VALUES__ is no JSON object.' }
    : { result: 'success', values };
}
