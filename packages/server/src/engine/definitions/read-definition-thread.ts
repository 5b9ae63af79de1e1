/** The thread of read-definition.ts. */
import { answerEach } from '../documents/answer-each.ts';
import { readDefinitionFile } from './read-definition-file.ts';

// As text, which is read faster than thousands of objects are cloned.
answerEach(({ text, pointer }: { text: string; pointer: string }) => JSON.stringify(readDefinitionFile(text, pointer)));
