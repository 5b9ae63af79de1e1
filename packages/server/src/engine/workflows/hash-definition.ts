/** Stored with each revision, to recognise an unchanged definition. */
import { createHash } from 'node:crypto';
import type { Definition } from '@milepost/definitions';

export const hashDefinition = (definition: Definition): string =>
  createHash('sha256').update(JSON.stringify(definition)).digest('hex');
