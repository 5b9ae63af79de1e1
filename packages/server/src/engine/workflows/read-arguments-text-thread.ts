/** The thread of read-arguments-text.ts. */
import { handleMessages } from '../threads/handle-messages.ts';
import { readArgumentsInline } from './read-arguments-text.ts';

handleMessages(({ text, pointer }: { text: string; pointer: string }) => readArgumentsInline(text, pointer));
