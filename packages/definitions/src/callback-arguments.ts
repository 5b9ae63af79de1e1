/** The built-in functions and their arguments, after placeholders are filled in. */
import { values as v } from '@milepost/api';
import { Type, type TSchema } from 'typebox';

const described = <S extends TSchema>(description: string, schema: S) => ({ ...schema, description });

const Status = Type.Integer({ minimum: 100, maximum: 599 });

export const httpArguments = v.closed({
  url: described('The address. Its scheme, host and port must be allowed.', Type.String({ minLength: 1 })),
  method: Type.Optional(
    described('Default: POST.', v.oneOf(['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'])),
  ),
  headers: Type.Optional(described('Names and values.', v.mapOf(Type.Union([Type.String(), Type.Number()])))),
  body: Type.Optional(described('Text is sent as it is, any other value as JSON.', Type.Unknown())),
  expected_status: Type.Optional(
    described(
      'The status, or a list of statuses, that counts as success. Default: 2xx.',
      Type.Union([Status, Type.Array(Status, { minItems: 1 })]),
    ),
  ),
});

const Word = Type.Union([Type.String(), Type.Number()]);
const Code = Type.Integer();

export const commandArguments = v.closed({
  binary: described('The name of the program in MILEPOST_COMMANDS.', Type.String({ minLength: 1 })),
  args: Type.Optional(described('Texts and numbers.', Type.Array(Word))),
  kwargs: Type.Optional(
    described(
      'Flags and their values, added after args.',
      v.mapOf(Type.Union([Word, Type.Boolean(), Type.Null(), Type.Array(Word)])),
    ),
  ),
  expected_return_code: Type.Optional(
    described(
      'The exit code, or a list of exit codes, that counts as success. null accepts any. Default: 0.',
      Type.Union([Code, Type.Array(Code, { minItems: 1 }), Type.Null()]),
    ),
  ),
});

export const sendMailArguments = v.closed({
  subject: Type.String({
    minLength: 1,
    maxLength: 500,
    pattern: '^[^\\u0000-\\u001f\\u007f-\\u009f\\u2028\\u2029]*$',
    'x-wanted': 'must be one line',
    description: 'One line.',
  }),
  body: described('Plain text.', Type.String({ maxLength: 100_000 })),
  to: Type.Optional(
    described(
      'An address, or a list of up to 50. Default: MILEPOST_MAIL_TO.',
      Type.Union([v.Email, Type.Array(v.Email, { minItems: 1, maxItems: 50 })]),
    ),
  ),
});

const SystemName = Type.String({ minLength: 1 });

export const createTaskArguments = v.closed({
  task_base: described('A template file in the folder MILEPOST_TASK_FOLDER.', Type.String({ minLength: 1 })),
  task_info: described('The fields of the task.', v.JsonObject),
  extra_tags_var: Type.Optional(
    described('A variable whose value is a tag, or a list of tags, to add.', Type.Union([Type.String(), Type.Null()])),
  ),
  taskmanager_external_system_name: Type.Optional(
    described('The external system that is the task manager. Default: TASKMANAGER.', SystemName),
  ),
  xnat_external_system: Type.Optional(
    described('The external system whose IDs and URL the template uses. Default: XNAT.', SystemName),
  ),
});

/** One week. A longer pause should use `initial_delay`, which occupies no worker. */
const maxSleepSeconds = 604_800;

export const sleepArguments = v.closed({
  seconds: Type.Number({ minimum: 0, maximum: maxSleepSeconds, description: 'Seconds. Fractions are allowed.' }),
});

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
export const workerArguments = Type.Object(
  { queue: described('The queue from which your workers take the runs.', v.Label) },
  { additionalProperties: true },
);

/** The argument schema of each function that an author can name, before placeholders are filled in. */
export const writtenArguments: Readonly<Record<string, TSchema>> = { ...argumentSchemas, worker: workerArguments };

/** All function names with a meaning. Any other name is the queue of pulling workers, which `worker` names in its arguments. */
export const functionNames: readonly string[] = [...Object.keys(argumentSchemas), 'worker'];
