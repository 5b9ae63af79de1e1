/** Every function that runs here, by the name that workflows call it. */
import type { TSchema } from 'typebox';
import type { Config } from '../config.ts';
import type { BuiltInFunction } from '../jobs/queue-names.ts';
import { createMail, type Mail } from '../outgoing/create-mail.ts';
import { createOutgoing, type Outgoing } from '../outgoing/create-outgoing.ts';
import { LastingFailure, PassingFailure, type CallbackFunction } from './callback-function.ts';
import { commandArguments, createCommand, type Programs } from './command.ts';
import { createCreateTask, createTaskArguments } from './create-task.ts';
import { createHttp, httpArguments } from './http.ts';
import { mask, maskDeep } from './mask.ts';
import { createSendMail, sendMailArguments } from './send-mail.ts';
import { sleep, sleepArguments } from './sleep.ts';
import { storable } from './storable.ts';
import { wait, waitArguments } from './wait.ts';

export type { BuiltInFunction };

/** What each takes, once placeholders are filled in. */
export const argumentSchemas = {
  http: httpArguments,
  command: commandArguments,
  external_program: commandArguments,
  send_mail: sendMailArguments,
  create_task: createTaskArguments,
  sleep: sleepArguments,
  wait: waitArguments,
} as const satisfies Record<BuiltInFunction, TSchema>;

/** What functions may reach. */
export interface Outside {
  outgoing: Outgoing;
  mail: Mail | undefined;
  commands: Programs;
  taskFolder: string | undefined;
}

export const openOutside = ({ allow, mail, commands, taskFolder }: Config['outside']): Outside => ({
  outgoing: createOutgoing({ allow }),
  mail: mail && createMail(mail),
  commands,
  taskFolder,
});

export const createFunctions = (outside: Outside): Record<BuiltInFunction, CallbackFunction> => {
  const command = discreet(createCommand(outside.commands));
  return {
    http: discreet(createHttp(outside.outgoing)),
    command,
    external_program: command,
    send_mail: discreet(createSendMail(outside.mail)),
    create_task: discreet(createCreateTask(outside.outgoing, outside.taskFolder)),
    sleep: discreet(sleep),
    wait: discreet(wait),
  };
};

/**
 * The secret is in nothing that a function logs, returns or throws, and all of it can be stored. A run that was called
 * off ends with the reason of its signal, whatever failed because of it.
 */
const discreet =
  (callbackFunction: CallbackFunction): CallbackFunction =>
  async (run) => {
    const { secret } = run.execution;
    const tell = (text: string) => storable(mask(text, secret));
    run.signal.throwIfAborted();
    try {
      const ended = await callbackFunction({ ...run, log: (text) => run.log(tell(text)) });
      return storable(maskDeep(ended, secret));
    } catch (error) {
      run.signal.throwIfAborted();
      if (error instanceof PassingFailure) throw new PassingFailure(tell(error.message));
      if (error instanceof LastingFailure) throw new LastingFailure(tell(error.message));
      throw error;
    }
  };
