/** Every kind of change as a sentence, by the name of its operation or rule. */
import { runSentences } from './run-sentences.ts';
import { contextOf, type NamesById, type Piece, type Sentence } from './sentence.ts';
import { setupSentences } from './setup-sentences.ts';
import { studySentences } from './study-sentences.ts';
import type { Entry } from './use-audit.ts';

export const sentences: Readonly<Record<string, Sentence>> = { ...studySentences, ...setupSentences, ...runSentences };

/** An entry of an earlier version can have a name that no longer exists. */
const unknown: Sentence = ({ entry }) => [`Changed ${entry.object.label ?? entry.object.kind} (${entry.operation})`];

export const sentenceOf = (entry: Entry, names: NamesById): readonly Piece[] =>
  (sentences[entry.operation] ?? unknown)(contextOf(entry, names));
