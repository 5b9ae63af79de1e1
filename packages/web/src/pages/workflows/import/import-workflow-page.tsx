/** Imports a workflow file: a new workflow, or a new revision, which starts with the current file. */
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useNavigate } from 'react-router';
import { client } from '../../../api/client.ts';
import { ImportLayout } from '../../../definition-import/import-layout.tsx';
import { useDefinitionImport, type Draft } from '../../../definition-import/use-definition-import.ts';
import { useFilters } from '../../../filters/use-filters.ts';
import { paths } from '../../../paths.ts';
import { announceDone } from '../../../ui/announcements.tsx';
import { useTitle } from '../../../ui/page-layout.tsx';
import { QueryResult } from '../../../ui/query-result.tsx';
import { currentQuery, workflowQuery } from '../definition/use-definition.ts';
import { workflowsQuery } from '../use-workflow.ts';
import { exampleWorkflow } from './example-workflow.ts';
import type { WorkflowImport, WorkflowPlan } from './plan.ts';
import { PlanView, type StateMap } from './plan-view.tsx';
import styles from '../../../definition-import/definition-import.module.css';

interface Existing {
  id: number;
  label: string;
}

export function ImportWorkflowPage() {
  const id = useFilters().numberOf('workflow');
  useTitle('Import workflow');
  return id === undefined ? <ImportWorkflow text="" /> : <NewRevision key={id} id={id} />;
}

function NewRevision({ id }: { id: number }) {
  const workflow = useQuery(workflowQuery(id));
  return (
    <QueryResult query={workflow} what="the workflow">
      {({ label }) => <WithDefinition workflow={{ id, label }} />}
    </QueryResult>
  );
}

function WithDefinition({ workflow }: { workflow: Existing }) {
  const current = useQuery(currentQuery(workflow.id, workflow.label));
  return (
    <QueryResult query={current} what="the definition">
      {({ definition }) => <ImportWorkflow text={definition} workflow={workflow} />}
    </QueryResult>
  );
}

const bodyOf = ({ text, options }: Draft<StateMap>) => ({
  workflow_definition: text,
  ...(Object.keys(options).length === 0 ? {} : { state_map: options }),
});

function useWorkflowImport(text: string) {
  const navigate = useNavigate();
  const queryClient = useQueryClient();
  return useDefinitionImport<StateMap, WorkflowPlan, WorkflowImport>({
    first: { text, options: {} },
    // It can name states that another file does not have.
    optionsOfOtherText: {},
    check: async (draft) =>
      (await client.importWorkflow({ query: { dry_run: true }, body: bodyOf(draft) })) as WorkflowPlan,
    run: async (draft) => (await client.importWorkflow({ body: bodyOf(draft) })) as WorkflowImport,
    onImported: async ({ id, label, revision }) => {
      await Promise.all(
        ['listWorkflows', 'getWorkflowGraph', 'getWorkflowDefinition'].map((name) =>
          queryClient.invalidateQueries({ queryKey: [name] }),
        ),
      );
      announceDone(`Imported revision ${revision} of ${label}.`);
      void navigate(paths.workflow(id));
    },
  });
}

function obstacleTo({ outcome, strands_experiments: strands }: WorkflowPlan): string | undefined {
  if (outcome === 'identical') return 'There is nothing to import.';
  return strands ? 'Choose a state for the experiments in removed states.' : undefined;
}

function ImportWorkflow({ text, workflow }: { text: string; workflow?: Existing }) {
  const of = useWorkflowImport(text);
  const workflows = useQuery(workflowsQuery);
  return (
    <ImportLayout
      title={workflow ? `Import a new revision of ${workflow.label}` : 'Import workflow'}
      about={
        workflow
          ? 'Change the current file below, or choose another one.'
          : 'A workflow is a YAML file with states, callbacks and transitions.'
      }
      imported="workflows"
      permission="workflow_manage"
      label="Workflow file"
      of={of}
      example={exampleWorkflow}
      back={workflow ? paths.workflow(workflow.id) : paths.workflows}
      obstacleTo={obstacleTo}
    >
      {(plan) => (
        <>
          {workflow && plan.label !== workflow.label ? <OtherLabel plan={plan} workflow={workflow} /> : null}
          <PlanView
            plan={plan}
            workflowId={workflows.data?.workflows.find(({ label }) => label === plan.label)?.id}
            stateMap={of.draft.options}
            onStateMap={of.setOptions}
          />
        </>
      )}
    </ImportLayout>
  );
}

const OtherLabel = ({ plan, workflow }: { plan: WorkflowPlan; workflow: Existing }) => (
  <p className={styles['otherLabel']}>
    The label of the file is <bdi>{plan.label}</bdi>, so the import {plan.outcome === 'new' ? 'creates' : 'changes'}{' '}
    another workflow and leaves <bdi>{workflow.label}</bdi> unchanged.
  </p>
);
