/** Stored with each revision, to recognise an unchanged definition. */
import { createHash } from 'node:crypto';
import { callbackDefaults, type Definition, type DefinitionCallback } from '@milepost/definitions';

export const hashDefinition = ({ states, ...others }: Definition): string => {
  const hashed = {
    ...others,
    states: states.map((state) => ({ ...state, callbacks: state.callbacks.map(withoutNew) })),
  };
  return createHash('sha256').update(JSON.stringify(hashed)).digest('hex');
};

/** Fields that were added later count only if they differ from their default, so older definitions keep their hash. */
function withoutNew({ retry_for, retry_first, ...callback }: DefinitionCallback) {
  return {
    ...callback,
    ...(retry_for !== callbackDefaults.retry_for && { retry_for }),
    ...(retry_first !== callbackDefaults.retry_first && { retry_first }),
  };
}
