/** The built-in functions and their arguments, after placeholders are filled in. */
import { values as v } from '@milepost/api';
import { Type, type TSchema } from 'typebox';

const Status = Type.Integer({ minimum: 100, maximum: 599 });

export const httpArguments = v.closed({
  url: Type.String({ minLength: 1 }),
  method: Type.Optional(v.oneOf(['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'])),
  headers: Type.Optional(v.mapOf(Type.Union([Type.String(), Type.Number()]))),
  body: Type.Optional(Type.Unknown()),
  expected_status: Type.Optional(Type.Union([Status, Type.Array(Status, { minItems: 1 })])),
});

const Word = Type.Union([Type.String(), Type.Number()]);
const Code = Type.Integer();

export const commandArguments = v.closed({
  binary: Type.String({ minLength: 1 }),
  args: Type.Optional(Type.Array(Word)),
  kwargs: Type.Optional(v.mapOf(Type.Union([Word, Type.Boolean(), Type.Null(), Type.Array(Word)]))),
  expected_return_code: Type.Optional(Type.Union([Code, Type.Array(Code, { minItems: 1 }), Type.Null()])),
});

export const sendMailArguments = v.closed({
  subject: Type.String({
    minLength: 1,
    maxLength: 500,
    pattern: '^[^\\u0000-\\u001f\\u007f-\\u009f\\u2028\\u2029]*$',
    'x-wanted': 'must be one line',
  }),
  body: Type.String({ maxLength: 100_000 }),
  to: Type.Optional(Type.Union([v.Email, Type.Array(v.Email, { minItems: 1, maxItems: 50 })])),
});

const SystemName = Type.Optional(Type.String({ minLength: 1 }));

export const createTaskArguments = v.closed({
  task_base: Type.String({ minLength: 1 }),
  task_info: v.JsonObject,
  extra_tags_var: Type.Optional(Type.Union([Type.String(), Type.Null()])),
  taskmanager_external_system_name: SystemName,
  xnat_external_system: SystemName,
});

/** One week. A longer pause should use `initial_delay`, which occupies no worker. */
const maxSleepSeconds = 604_800;

export const sleepArguments = v.closed({ seconds: Type.Number({ minimum: 0, maximum: maxSleepSeconds }) });

export const waitArguments = v.closed({});

/** The argument schema of each function that our workers run. */
export const argumentSchemas = {
  http: httpArguments,
  command: commandArguments,
  external_program: commandArguments,
  send_mail: sendMailArguments,
  create_task: createTaskArguments,
  sleep: sleepArguments,
  wait: waitArguments,
} as const satisfies Record<string, TSchema>;

export type BuiltInFunction = keyof typeof argumentSchemas;

export const isBuiltIn = (name: string): name is BuiltInFunction => Object.hasOwn(argumentSchemas, name);

/** The argument `queue` names the queue. All others are for the workers that run it. */
export const workerArguments = Type.Object({ queue: v.Label }, { additionalProperties: true });

/** The argument schema of each function that an author can name, before placeholders are filled in. */
export const writtenArguments: Readonly<Record<string, TSchema>> = { ...argumentSchemas, worker: workerArguments };

/** All function names with a meaning. Any other name is the queue of pulling workers, which `worker` names in its arguments. */
export const functionNames: readonly string[] = [...Object.keys(argumentSchemas), 'worker'];
