/** One workflow: its graph with counts, and the experiments of all states or of the selected one. */
import { Button } from '@mantine/core';
import { lazy, Suspense } from 'react';
import { Link } from 'react-router';
import type { BodyOf } from '../../api/operation-query.ts';
import { CohortFilter } from '../../filters/study-filters.tsx';
import { useFilters } from '../../filters/use-filters.ts';
import { paths } from '../../paths.ts';
import { usePermission } from '../../session/session-context.ts';
import { useStateLooks } from '../../status/use-state-look.tsx';
import { PageHead, useTitle } from '../../ui/page-layout.tsx';
import { Loading } from '../../ui/placeholders.tsx';
import { QueryResult } from '../../ui/query-result.tsx';
import { ResourcePage } from '../resource-page.tsx';
import { aboutWorkflow, finishedIn } from './about-workflow.ts';
import { outgoingTransitions } from './outgoing-transitions.ts';
import { selectedState } from './selected-state.ts';
import { StateExperiments } from './state-experiments.tsx';
import { medianByState } from './time-in-state-rows.ts';
import { TimeInState } from './time-in-state.tsx';
import { useWorkflow, type StateCounts, type StateDurations } from './use-workflow.ts';

const WorkflowGraph = lazy(async () => ({ default: (await import('./graph/workflow-graph.tsx')).WorkflowGraph }));

const byState = (states: readonly StateCounts[]) => new Map(states.map((counts) => [counts.state.id, counts]));

export const WorkflowPage = () => <ResourcePage of={(id) => <Workflow key={id} id={id} />} />;

function Workflow({ id }: { id: number }) {
  const { numberOf, clear } = useFilters();
  const cohortId = numberOf('cohort');
  const { graph, counts, durations } = useWorkflow(id, cohortId);
  const lookOf = useStateLooks();
  const finished = finishedIn(counts.data?.states ?? [], (state) => lookOf(state).outcome !== undefined);
  const label = graph.data?.workflow.label;
  useTitle(label);
  return (
    <>
      <PageHead
        title={<bdi>{label ?? 'Workflow'}</bdi>}
        about={counts.data ? aboutWorkflow(counts.data.states, finished) : undefined}
      >
        <CohortFilter />
        <Button component={Link} to={paths.workflowDefinition(id)}>
          Definition
        </Button>
        {usePermission('workflow_manage') ? (
          <Button component={Link} to={paths.newRevision(id)}>
            Import a new revision
          </Button>
        ) : null}
      </PageHead>
      {counts.error && !graph.error ? (
        <QueryResult query={counts} what="counts" onClearFilters={clear}>
          {() => null}
        </QueryResult>
      ) : null}
      <QueryResult query={graph} what="the workflow">
        {(data) => (
          <Drawn graph={data} counts={counts.data} durations={durations.data?.states ?? []} finished={finished} />
        )}
      </QueryResult>
    </>
  );
}

/** After the click, the table may be below the visible part of the page. */
const showTable = () =>
  requestAnimationFrame(() => document.getElementById('experiments')?.scrollIntoView({ block: 'nearest' }));

interface DrawnProps {
  graph: BodyOf<'getWorkflowGraph'>;
  counts: BodyOf<'getWorkflowCounts'> | undefined;
  durations: readonly StateDurations[];
  finished: number;
}

function Drawn({ graph, counts, durations, finished }: DrawnProps) {
  const { numberOf, set } = useFilters();
  const [stateId, cohortId] = [numberOf('state'), numberOf('cohort')];
  const countsOf = byState(counts?.states ?? []);
  const select = (state: number | undefined) => {
    set({ state: state === undefined ? undefined : String(state) });
    showTable();
  };
  return (
    <>
      <Suspense fallback={<Loading what="the graph" />}>
        <WorkflowGraph
          graph={graph}
          counts={countsOf}
          medians={medianByState(durations, cohortId)}
          finished={finished}
          selected={stateId}
          onSelect={select}
        />
      </Suspense>
      <TimeInState durations={durations} cohortId={cohortId} stateId={stateId} />
      <StateExperiments
        workflow={graph.workflow}
        state={selectedState(stateId, graph.states, counts?.states)}
        transitions={stateId === undefined ? [] : outgoingTransitions(graph, stateId)}
        freetext={graph.states.find((state) => state.id === stateId)?.freetext ?? ''}
        counts={stateId === undefined ? undefined : countsOf.get(stateId)}
        total={counts?.experiments}
      />
    </>
  );
}
