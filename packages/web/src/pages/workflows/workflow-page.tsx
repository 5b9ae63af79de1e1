/** One workflow: its graph with counts of now or of a past day, and the experiments of all states or of the selected one. */
import { Button } from '@mantine/core';
import { lazy, Suspense } from 'react';
import { Link } from 'react-router';
import type { BodyOf } from '../../api/operation-query.ts';
import { CohortFilter } from '../../filters/study-filters.tsx';
import { useFilters } from '../../filters/use-filters.ts';
import { paths } from '../../paths.ts';
import { useStateLooks } from '../../status/use-state-look.tsx';
import { PageHead, useTitle } from '../../ui/page-layout.tsx';
import { Loading } from '../../ui/placeholders.tsx';
import { QueryErrors, QueryResult } from '../../ui/query-result.tsx';
import { ResourcePage } from '../resource-page.tsx';
import { aboutPastWorkflow, aboutWorkflow, finishedIn } from './about-workflow.ts';
import { AsOf, usePastDay } from './as-of.tsx';
import { NewRevisionButton } from './import/new-revision-button.tsx';
import { outgoingTransitions } from './outgoing-transitions.ts';
import { pastStateCounts } from './past-day.ts';
import { selectedState } from './selected-state.ts';
import { StateExperiments } from './state-experiments.tsx';
import { medianByState } from './time-in-state-rows.ts';
import { TimeInState } from './time-in-state.tsx';
import { usePastCounts } from './use-past-counts.ts';
import { useWorkflow, type StateCounts, type StateDurations } from './use-workflow.ts';

const WorkflowGraph = lazy(async () => ({ default: (await import('./graph/workflow-graph.tsx')).WorkflowGraph }));

const byState = (states: readonly StateCounts[]) => new Map(states.map((counts) => [counts.state.id, counts]));

/** They are those of the last 90 days. */
const noMedians: ReadonlyMap<number, number> = new Map();

export const WorkflowPage = () => <ResourcePage of={(id) => <Workflow key={id} id={id} />} />;

/** The counts of the graph: those of the past day of the URL once they are loaded, or else the present ones. */
function useShownCounts(id: number, cohortId: number | undefined, now: BodyOf<'getWorkflowCounts'> | undefined) {
  const at = usePastDay();
  const query = usePastCounts(id, cohortId, at);
  const lookOf = useStateLooks();
  const past = at === undefined ? undefined : query.data;
  const present = at !== undefined && query.error ? undefined : now?.states;
  const states = past ? pastStateCounts(past) : present;
  const finished = finishedIn(states ?? [], (state) => lookOf(state).outcome !== undefined);
  const about = states && (past ? aboutPastWorkflow : aboutWorkflow)(states, finished);
  return { query, past, states, finished, about };
}

function Workflow({ id }: { id: number }) {
  const { numberOf, set, clear } = useFilters();
  const cohortId = numberOf('cohort');
  const { graph, counts, durations } = useWorkflow(id, cohortId);
  const shown = useShownCounts(id, cohortId, counts.data);
  const label = graph.data?.workflow.label;
  useTitle(label);
  return (
    <>
      <PageHead title={<bdi>{label ?? 'Workflow'}</bdi>} about={shown.about}>
        <CohortFilter />
        <Button component={Link} to={paths.workflowDefinition(id)}>
          Definition
        </Button>
        <NewRevisionButton workflowId={id} />
      </PageHead>
      {graph.error ? null : (
        <>
          <QueryErrors queries={[counts]} onClearFilters={clear} />
          <QueryErrors queries={[shown.query]} onClearFilters={() => set({ at: undefined })} />
        </>
      )}
      <QueryResult query={graph} what="the workflow">
        {(data) => <Drawn graph={data} now={counts.data} shown={shown} durations={durations.data?.states ?? []} />}
      </QueryResult>
    </>
  );
}

/** After the click, the table may be below the visible part of the page. */
const showTable = () =>
  requestAnimationFrame(() => document.getElementById('experiments')?.scrollIntoView({ block: 'nearest' }));

interface DrawnProps {
  graph: BodyOf<'getWorkflowGraph'>;
  /** The present counts. */
  now: BodyOf<'getWorkflowCounts'> | undefined;
  shown: ReturnType<typeof useShownCounts>;
  durations: readonly StateDurations[];
}

function Drawn({ graph, now, shown: { past, states, finished }, durations }: DrawnProps) {
  const { numberOf, set } = useFilters();
  const [stateId, cohortId] = [numberOf('state'), numberOf('cohort')];
  const select = (state: number | undefined) => {
    set({ state: state === undefined ? undefined : String(state) });
    showTable();
  };
  return (
    <>
      <AsOf workflowId={graph.workflow.id} states={graph.states} past={past} />
      <Suspense fallback={<Loading what="the graph" />}>
        <WorkflowGraph
          graph={graph}
          counts={byState(states ?? [])}
          medians={past ? noMedians : medianByState(durations, cohortId)}
          finished={finished}
          isPast={past !== undefined}
          selected={stateId}
          onSelect={select}
        />
      </Suspense>
      <TimeInState durations={durations} cohortId={cohortId} stateId={stateId} />
      <StateExperiments
        workflow={graph.workflow}
        state={selectedState(stateId, graph.states, now?.states)}
        transitions={stateId === undefined ? [] : outgoingTransitions(graph, stateId)}
        freetext={graph.states.find((state) => state.id === stateId)?.freetext ?? ''}
        counts={now?.states.find(({ state }) => state.id === stateId)}
        total={now?.experiments}
        isPast={past !== undefined}
      />
    </>
  );
}
