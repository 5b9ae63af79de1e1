/** The thread of read-yaml.ts. */
import type { TSchema } from 'typebox';
import { answerEach } from './answer-each.ts';
import { parseYaml } from './parse-yaml.ts';

answerEach(({ text, schema, pointer }: { text: string; schema: TSchema; pointer: string }) =>
  parseYaml(text, schema, pointer),
);
