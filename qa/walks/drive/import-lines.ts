/** Imports a spreadsheet of the experiments of a walk. A worker checks and imports its lines at once. */
import { runImports } from '../../../packages/server/src/engine/spreadsheets/run-imports.ts';
import type { Line } from '../model/spreadsheet.ts';
import type { Json } from '../model/workflow.ts';
import type { CallResult } from './compare.ts';
import type { Lane } from './lane.ts';

/** The label of an experiment. No other walk has it. */
export const labelOf = (name: string, workflow: string) => `${workflow}-${name}`;

interface Imported extends CallResult {
  /** The experiments of the lines that exist afterwards, by their names. */
  ids: Record<string, number>;
}

const idsByLabel = 'select id::int, label from experiments where subject_id = $1 and label = any($2::text[])';
const idOfWorkflow = 'select id::int from workflows where label = $1';

export async function importLines(lane: Lane, workflow: string, lines: readonly Line[]): Promise<Imported> {
  const { http, rows, subject, context } = lane;
  const [{ id: workflowId } = { id: 0 }] = await rows<{ id: number }>(idOfWorkflow, [workflow]);
  const query = { cohort_id: String(subject.cohort.id), workflow_id: String(workflowId) };
  const made = await http.call('createImport', { query, file: fileOf(subject.label, workflow, lines) });
  const params = { id: made.body.id };
  const work = () => runImports({ ...context, linesPerSecond: 1000 });
  await work();
  await http.call('applyImport', { params });
  await work();
  const { body } = await http.call('getImport', { params });
  const { body: shown } = await http.call('listImportLines', { params });
  const found = await rows<{ id: number; label: string }>(idsByLabel, [
    subject.id,
    lines.map(({ experiment }) => labelOf(experiment, workflow)),
  ]);
  return {
    status: made.status,
    shows: { status: body.status, results: shown.lines.map(({ result }: { result: string }) => result) },
    ids: Object.fromEntries(found.map(({ id, label }) => [label.slice(labelOf('', workflow).length), id])),
  };
}

function fileOf(subject: string, workflow: string, lines: readonly Line[]): string {
  const names = [...new Set(lines.flatMap(({ variables }) => Object.keys(variables)))];
  const records = lines.map(({ experiment, state, variables }) => [
    subject,
    labelOf(experiment, workflow),
    state,
    ...names.map((name) => cellOf(variables[name])),
  ]);
  return [['subject', 'experiment', 'state', ...names.map((name) => `var.${name}`)], ...records]
    .map((cells) => cells.join(','))
    .join('\n');
}

/** A text is between quotation marks in CSV, too. */
const cellOf = (value: Json | undefined) => (value === undefined ? '' : JSON.stringify(value));
