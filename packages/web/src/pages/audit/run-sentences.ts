/** Sentences about runs and what the engine and workers do. */
import { paths } from '../../paths.ts';
import { link, object, type Context, type Piece, type Sentence } from './sentence.ts';
import { moved, outcomeOf } from './study-sentences.ts';

/** `run of deface for X`, and with a capital at the beginning of a sentence. */
const run = (context: Context, word = 'run'): Piece[] => {
  const { object: changed } = context.entry;
  if (changed.kind !== 'callback_execution') return [`${word} for `, object(context)];
  const callback = context.nameOf('callback_execution', changed.id)?.label ?? `ID ${changed.id}`;
  return [`${word} of `, link(callback, paths.execution(changed.id)), ' for ', object(context)];
};

const words: Readonly<Record<string, string>> = {
  success: 'succeeded',
  failed: 'failed',
  timeout: 'timed out',
};

function ended({ after }: Context): string {
  const { status, result } = after;
  if (status === 'skipped') return 'was skipped';
  if (status === 'waiting') return 'waits for a report';
  if (status === 'running') return 'is running';
  if (status === 'queued') return 'is queued';
  return words[String(result)] ?? 'finished';
}

const ran: Sentence = (context) => [...run(context, 'Run'), ` ${ended(context)}`];

const reported: Sentence = (context) => {
  if ('late_report' in context.after) return ['Rejected a late report on the ', ...run(context)];
  if ('appended' in context.after) return ['Added to the log of the ', ...run(context)];
  return ['Reported that the ', ...run(context), ` ${ended(context)}`];
};

const endedAction: Sentence = (context) =>
  'state_id' in context.after ? moved(context) : ['Ended the action of ', object(context), outcomeOf(context)];

export const runSentences: Readonly<Record<string, Sentence>> = {
  endAction: endedAction,
  runCallback: ran,
  updateCallbackExecution: reported,
  checkTimeouts: ran,
  claimExecutions: (context) => [...ran(context), ' when a worker claimed it'],
  reconcile: (context) => [...ran(context), ' because its worker was lost'],
  renewClaim: (context) => ['Renewed the claim of the ', ...run(context)],
  startExecution: (context) => ['Started the ', ...run(context)],
  openIncident: (context) => ['Opened an incident for ', object(context)],
};
