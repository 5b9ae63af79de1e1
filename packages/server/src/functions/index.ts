/** The built-in functions by name. */
import type { BuiltInFunction } from '@milepost/definitions';
import type { Config } from '../config.ts';
import { createMail, type Mail } from '../outgoing/create-mail.ts';
import { createOutgoing, type Outgoing } from '../outgoing/create-outgoing.ts';
import { PermanentFailure, TemporaryFailure, type CallbackFunction } from './callback-function.ts';
import { createCommand, type Programs } from './command.ts';
import { createCreateTask } from './create-task.ts';
import { createHttp } from './http.ts';
import { mask, maskDeep } from './hide-secret.ts';
import { createSendMail } from './send-mail.ts';
import { sleep } from './sleep.ts';
import { storable } from './storable.ts';
import { wait } from './wait.ts';

/** What functions can access outside the worker. */
export interface Integrations {
  outgoing: Outgoing;
  mail: Mail | undefined;
  commands: Programs;
  taskFolder: string | undefined;
}

export const openIntegrations = ({ allow, mail, commands, taskFolder }: Config['integrations']): Integrations => ({
  outgoing: createOutgoing({ allow }),
  mail: mail && createMail(mail),
  commands,
  taskFolder,
});

export const createFunctions = (integrations: Integrations): Record<BuiltInFunction, CallbackFunction> => {
  const command = hideSecret(createCommand(integrations.commands));
  return {
    http: hideSecret(createHttp(integrations.outgoing)),
    command,
    external_program: command,
    send_mail: hideSecret(createSendMail(integrations.mail)),
    create_task: hideSecret(createCreateTask(integrations.outgoing, integrations.taskFolder)),
    sleep: hideSecret(sleep),
    wait: hideSecret(wait),
  };
};

/**
 * Masks the secret in everything that a function logs, returns or throws, and replaces characters that cannot be stored. A
 * cancelled run always throws the reason of its signal.
 */
const hideSecret =
  (callbackFunction: CallbackFunction): CallbackFunction =>
  async (run) => {
    const { secret } = run.execution;
    const clean = (text: string) => storable(mask(text, secret));
    run.signal.throwIfAborted();
    try {
      const result = await callbackFunction({ ...run, log: (text) => run.log(clean(text)) });
      return storable(maskDeep(result, secret));
    } catch (error) {
      run.signal.throwIfAborted();
      if (error instanceof TemporaryFailure) {
        const { host, said } = error;
        throw new TemporaryFailure(clean(error.message), { host, said: said && clean(said) });
      }
      if (error instanceof PermanentFailure) throw new PermanentFailure(clean(error.message));
      throw error;
    }
  };
