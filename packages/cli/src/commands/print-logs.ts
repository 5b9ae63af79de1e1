/** Prints the logs of a run while they grow. Each request returns only what is new. */
import type { Client } from '@milepost/api/client';
import { visibleText } from '../output/visible-text.ts';
import { flushOutput, note, writeOutput } from '../output/write-output.ts';

/** The last attempt of which something was printed. */
export interface PrintedLog {
  attempt: number;
  worker: string;
  /** In characters as the server counts them. */
  length: number;
  /** The end of what was printed. The server cuts the middle of a long log, and then it is not at `length` any more. */
  end: string;
  /** The last attempt before it that had output. */
  before?: PrintedLog | undefined;
}

/** Long enough that it is not repeated in a log by chance. */
const endLength = 200;
const countOf = (text: string) => Array.from(text).length;
const startOf = (attempt: number): PrintedLog => ({ attempt, worker: '', length: 0, end: '' });
const withOutput = (printed: PrintedLog) => (printed.length > 0 ? printed : printed.before);
const startAfter = (known: PrintedLog) => ({ ...startOf(known.attempt + 1), before: withOutput(known) });

/** Continues after `printed`, with all attempts that have started since. Returns undefined if none has started. */
export async function printNewLogs(
  client: Client,
  id: number,
  printed: PrintedLog | undefined,
): Promise<PrintedLog | undefined> {
  let last = printed;
  for (let known = printed ?? startOf(1); ; known = startAfter(known)) {
    const found = await readLog(client, id, known);
    if (!found) break;
    if (found.attempt !== last?.attempt) note(`Attempt ${found.attempt} on ${found.worker}`);
    last = await printNew(client, id, { ...known, attempt: found.attempt, worker: found.worker }, found.log);
    known = last;
    if (found.ended_at === null) break;
  }
  await flushOutput();
  return last;
}

/** What was added to the log of a finished run is not in the logs of its attempts. */
export async function printRestOfLog(client: Client, id: number, last: PrintedLog | undefined) {
  const { status, run_log } = await client.getCallbackExecution({ params: { id }, fields: 'status,run_log' });
  if (status === 'finished') {
    const printed = last && withOutput(last);
    await printRest(startOf(1), printed ? restOfLog(run_log, printed) : run_log, 0);
    await flushOutput();
  }
  return { status };
}

/**
 * The log of a run has those of its attempts, each with a heading, and what was added later. The log of a worker's report replaces all of
 * it, and can begin with what the worker has sent before. Length and end identify that part, because a search for the end would find a
 * later line with the same words.
 */
function restOfLog(log: string, { attempt, worker, length, end }: PrintedLog): string {
  const heading = `--- attempt ${attempt} by ${worker} at `;
  const start = log.lastIndexOf(heading);
  const rest = start === -1 ? log : log.slice(log.indexOf('\n', start) + 1);
  const characters = Array.from(rest);
  const printed = characters.slice(0, length);
  if (printed.length === length && printed.join('').endsWith(end)) return characters.slice(length).join('');
  const at = log.includes(cutHere) ? log.lastIndexOf(end) : -1;
  return at === -1 ? log : log.slice(at + end.length);
}

async function readLog(client: Client, id: number, { attempt, length, end }: PrintedLog) {
  const query = { after: attempt - 1, limit: 1, log_from: length - countOf(end) };
  const { attempts } = await client.listExecutionAttempts({ params: { id }, query });
  return attempts[0];
}

/** `log` repeats the end of what was printed, unless the server has cut the log since. */
async function printNew(client: Client, id: number, known: PrintedLog, log: string): Promise<PrintedLog> {
  const { attempt, length, end } = known;
  if (log.startsWith(end)) return printRest(known, log.slice(end.length), length);
  const { log: whole = '' } = (await readLog(client, id, startOf(attempt))) ?? {};
  const at = whole.lastIndexOf(end);
  if (at === -1) note('The log was shortened. A part of it is missing here.');
  const rest = at === -1 ? whole.slice(whole.lastIndexOf(cutHere) + 1) : whole.slice(at + end.length);
  return printRest(known, rest, countOf(whole) - countOf(rest));
}

/** Between the two parts of a log that was shortened. */
const cutHere = '\n[... cut here ...]';

async function printRest(known: PrintedLog, text: string, from: number): Promise<PrintedLog> {
  await writeOutput(process.stdout.isTTY ? visibleText(text) : text);
  // Whole characters, of at most two code units each.
  const next = Array.from((known.end + text).slice(-2 * endLength)).slice(-endLength);
  return { ...known, length: from + countOf(text), end: next.join('') };
}
