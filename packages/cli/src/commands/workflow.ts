import { writeFile } from 'node:fs/promises';
import type { Client } from '@milepost/api/client';
import { defineCommand } from '../run/command.ts';
import { Failure, usage } from '../run/failure.ts';
import { connect } from '../contexts/connect.ts';
import { findWorkflowId, wholeNumber } from '../contexts/find-object.ts';
import { listRows } from '../contexts/list-rows.ts';
import { confirm, yesOption } from '../contexts/prompt.ts';
import { readText } from '../contexts/read-file.ts';
import { visibleLine } from '../output/visible-text.ts';
import { flushOutput, note, writeOutput } from '../output/write-output.ts';
import { listOptions, outputOptions, printOne, printRows } from '../output/print.ts';
import { workflowLint } from './lint.ts';
import { planLines, type Plan } from './workflow-plan.ts';

const workflow = { name: 'workflow', about: 'label or id of the workflow' } as const;
const file = { name: 'file', about: 'the workflow file' } as const;
const map = {
  takes: 'OLD=NEW',
  repeated: true,
  about: 'move the experiments of a removed state to this state',
} as const;

const list = defineCommand({
  path: 'workflow list',
  summary: 'list workflows',
  options: listOptions,
  examples: ['milepost workflow list'],
  run: async ({ values, environment }) => {
    const client = await connect({ values, environment });
    const columns = ['id', 'label', 'current.revision', 'experiments', 'last_activity'];
    await printRows(listRows(client, 'listWorkflowRows', {}, values.limit), values, { columns, plural: 'workflows' });
  },
});

const bodyOf = async (path: string, moves: readonly string[]) => {
  const pairs = moves.map((text): [string, string] => {
    const [from, to, ...more] = text.split('=');
    if (!from || !to || more.length > 0)
      throw usage(`\`${text}\` is not a valid mapping of a state.`, 'Write --map OLD=NEW.');
    return [from, to];
  });
  const state_map = pairs.length === 0 ? {} : { state_map: Object.fromEntries(pairs) };
  return { workflow_definition: await readText(path), ...state_map };
};

type Body = Awaited<ReturnType<typeof bodyOf>>;

const readPlan = async (client: Client, body: Body) =>
  (await client.importWorkflow({ query: { dry_run: true }, body })) as Plan;

async function printPlan(plan: Plan): Promise<void> {
  for (const line of planLines(plan)) await writeOutput(`${visibleLine(line)}\n`);
  await flushOutput();
}

const plan = defineCommand({
  path: 'workflow plan',
  summary: 'show what applying a workflow file would change',
  args: [file],
  options: { map, ...outputOptions },
  examples: ['milepost workflow plan brain-mri.yaml'],
  run: async ({ args, values, environment }) => {
    const client = await connect({ values, environment });
    const found = await readPlan(client, await bodyOf(args.file, values.map));
    if ((values.output ?? 'table') === 'table') await printPlan(found);
    else await printOne(found, values, ['label', 'outcome']);
    if (found.strands_experiments) throw stranded(found);
  },
});

const stranded = ({ affected_states }: Plan) => {
  const first = affected_states.find(({ experiments, goes_to }) => experiments > 0 && goes_to === null);
  return new Failure(
    'conflict',
    'The file removes states that still have experiments.',
    `Say where they move: --map ${first?.state ?? 'OLD'}=NEW`,
  );
};

const apply = defineCommand({
  path: 'workflow apply',
  summary: 'import a workflow file after showing its plan',
  args: [file],
  options: { map, 'dry-run': { about: 'only show the plan' }, ...yesOption, ...outputOptions },
  examples: ['milepost workflow apply brain-mri.yaml --dry-run', 'milepost workflow apply brain-mri.yaml --yes'],
  run: async ({ args, values, environment }) => {
    const client = await connect({ values, environment });
    const body = await bodyOf(args.file, values.map);
    const found = await readPlan(client, body);
    for (const line of planLines(found)) note(visibleLine(line));
    if (found.strands_experiments) throw stranded(found);
    if (values['dry-run'] || found.outcome === 'identical') return;
    await confirm(`Apply this to the workflow ${found.label}?`, values.yes);
    await printOne(await client.importWorkflow({ body }), values, ['id', 'label', 'outcome', 'revision']);
  },
});

const exportFile = defineCommand({
  path: 'workflow export',
  summary: 'print the file that defines a workflow',
  args: [{ name: 'workflow', about: 'label of the workflow' }],
  options: {
    revision: { takes: 'N', about: 'this revision instead of the current one' },
    to: { takes: 'FILE', about: 'write to a new file instead of standard output' },
  },
  examples: [
    'milepost workflow export brain_mri',
    'milepost workflow export brain_mri --revision 1 --to brain-mri-1.yaml',
  ],
  run: async ({ args, values, environment }) => {
    const client = await connect({ values, environment });
    const query =
      values.revision === undefined ? {} : { query: { revision: wholeNumber(values.revision, '--revision') } };
    const { definition } = await client.getWorkflowDefinition({ params: { workflow_label: args.workflow }, ...query });
    if (values.to === undefined) await writeOutput(definition);
    else {
      await writeFile(values.to, definition, { flag: 'wx' });
      note(`Wrote ${values.to}.`);
    }
    await flushOutput();
  },
});

const graph = defineCommand({
  path: 'workflow graph',
  summary: 'print the graph of a workflow for Graphviz',
  args: [workflow],
  options: { output: { short: 'o', takes: 'FORMAT', choices: ['dot', 'json'], about: 'format (default: dot)' } },
  examples: ['milepost workflow graph brain_mri', 'milepost workflow graph brain_mri -o json'],
  run: async ({ args, values, environment }) => {
    const client = await connect({ values, environment });
    const found = await client.getWorkflowGraph({ params: { id: await findWorkflowId(client, args.workflow) } });
    if (values.output === 'json') await writeOutput(`${JSON.stringify(found, null, 2)}\n`);
    else {
      const nodes = found.states.map(({ id, title, label }) => `  s${id} [label=${JSON.stringify(title || label)}];\n`);
      const edges = found.transitions.map(
        ({ source_id, destination_id }) => `  s${source_id} -> s${destination_id};\n`,
      );
      await writeOutput(`digraph ${JSON.stringify(found.workflow.label)} {\n${nodes.join('')}${edges.join('')}}\n`);
    }
    await flushOutput();
  },
});

const revisions = defineCommand({
  path: 'workflow revisions',
  summary: 'list the revisions of a workflow',
  args: [{ name: 'workflow', about: 'label of the workflow' }],
  options: listOptions,
  examples: ['milepost workflow revisions brain_mri'],
  run: async ({ args, values, environment }) => {
    const client = await connect({ values, environment });
    const rows = listRows(client, 'listWorkflowRevisions', { params: { workflow_label: args.workflow } }, values.limit);
    const columns = ['revision', 'created_at', 'author.name', 'size'];
    await printRows(rows, values, { columns, plural: 'revisions', id: 'revision' });
  },
});

export const workflowCommands = [list, workflowLint, plan, apply, exportFile, graph, revisions];
