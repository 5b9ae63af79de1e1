/**
 * Phrases that Milepost does not use, each with what it says instead. CONTRIBUTING.md explains the style; this list only holds
 * phrases that are wrong everywhere, so that ordinary words stay free.
 */
import { textOf, trackedFiles } from './tracked-files.ts';

interface RuledOut {
  phrase: RegExp;
  instead: string;
}

const ruledOut: readonly RuledOut[] = [
  { phrase: /\bsomebody\b/i, instead: 'a user, a caller, a person' },
  { phrase: /\bwhoever\b/i, instead: 'the user who, callers that' },
  { phrase: /\banew\b/i, instead: 'again' },
  { phrase: /\bneeds? someone\b/i, instead: 'needs attention' },
  { phrase: /\bnobody is needed\b/i, instead: 'nothing needs attention' },
  { phrase: /\bhow (?:it|they) came here\b/i, instead: 'timeline' },
  { phrase: /\bwhere it can go\b/i, instead: 'next states' },
  { phrase: /\b(?:no way leads|tr(?:y|ies|ied) the ways)\b/i, instead: 'no transition applies, re-evaluate' },
  { phrase: /\b(?:is|are) told of\b/i, instead: 'gets, receives, is notified of' },
  { phrase: /\bcomes? by (?:tokens?|password|mail)\b/i, instead: 'signs in with, arrives by' },
  { phrase: /\btak(?:e|es|ing) turns\b/i, instead: 'limits concurrency' },
  { phrase: /\b(?:token|session|password|run|key|lease)s? (?:is|are|was|were) over\b/i, instead: 'expired, ended' },
  { phrase: /\bthings? do(?:es)? not fit\b/i, instead: 'fields are invalid' },
  { phrase: /\bis not whole\b/i, instead: 'is incomplete' },
  { phrase: /\b(?:no such thing|nothing at this address)\b/i, instead: 'not found' },
  { phrase: /\b(?:without a word|sa(?:ys|id) nothing)\b/i, instead: 'no output' },
  { phrase: /\bany trouble\b/i, instead: 'any incident' },
  { phrase: /\bit is a program\b/i, instead: 'service account' },
  { phrase: /\b(?:that|which) (?:is|are) none\b/i, instead: 'is invalid, is missing' },
  { phrase: /\bamong the passwords\b/i, instead: 'is too common' },
  { phrase: /\b(?:is|are) fit\b/i, instead: 'check the installation' },
  { phrase: /\b(?:let|lets|come|comes) (?:\w+ )?in by\b/i, instead: 'sign in with' },
  { phrase: /\bread the run\b/i, instead: 'view run' },
  { phrase: /\b(?:takeTurns|take-turns)\b/, instead: 'limitConcurrency' },
  { phrase: /\b(?:proveOneself|prove-oneself)\b/, instead: 'requireReauthentication' },
  { phrase: /\b(?:answerOnce|answer-once)\b/, instead: 'idempotency' },
  {
    phrase: /\b(?:untilSettled|isBraked|tellingExecution|telling-execution|toggled)\b/,
    instead: 'retryOnConflict, isLooping, mostUrgentExecution',
  },
];

/** These quote the phrases, or hold what was released and can no longer change. */
const unchecked = /^tools\/ruled-out-phrases|\/migrations\/|package-lock\.json$|\/results\//;
const checked = /\.(?:tsx?|md|css|html|ya?ml|sh|txt|json)$|^\.ci\//;

export const findRuledOut = (file: string, text: string): string[] =>
  unchecked.test(file) || !checked.test(file)
    ? []
    : text.split('\n').flatMap((line, index) =>
        ruledOut.flatMap(({ phrase, instead }) => {
          const found = phrase.exec(line)?.[0];
          return found === undefined ? [] : [`${file}:${index + 1}: "${found}". Say: ${instead}.`];
        }),
      );

if (import.meta.main) {
  const found = trackedFiles().flatMap((file) => findRuledOut(file, textOf(file)));
  for (const sentence of found) console.error(sentence);
  if (found.length > 0) process.exitCode = 1;
}
