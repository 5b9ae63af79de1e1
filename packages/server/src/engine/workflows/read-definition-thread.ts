/** The thread of read-definition.ts. */
import { handleMessages } from '../threads/handle-messages.ts';
import { readDefinitionFile } from '@milepost/definitions';

// As JSON, because parsing it is faster than cloning thousands of objects.
handleMessages(({ text, pointer }: { text: string; pointer: string }) =>
  JSON.stringify(readDefinitionFile(text, pointer)),
);
