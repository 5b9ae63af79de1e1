/** The thread of read-arguments-text.ts. */
import { answerEach } from '../documents/answer-each.ts';
import { readArgumentsInline } from './read-arguments-text.ts';

answerEach(({ text, pointer }: { text: string; pointer: string }) => readArgumentsInline(text, pointer));
