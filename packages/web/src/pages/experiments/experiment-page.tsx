/** One experiment: its state, incidents, timeline, next states and data. */
import { useState } from 'react';
import { FollowUpSection } from '../../follow-ups/follow-up-section.tsx';
import { TwoColumns, useTitle } from '../../ui/page-layout.tsx';
import { QueryResult } from '../../ui/query-result.tsx';
import { ResourcePage } from '../resource-page.tsx';
import { DecisionPanel } from './decision/decision-panel.tsx';
import { useDecision } from './decision/use-decision.ts';
import { ExperimentData } from './experiment-data.tsx';
import { ExperimentHead } from './experiment-head.tsx';
import { Incidents } from './incidents.tsx';
import { NextStates } from './next-states.tsx';
import { Notes } from './notes.tsx';
import { Timeline } from './timeline.tsx';
import { useOverview, useTimeline } from './use-experiment.ts';

export const ExperimentPage = () => <ResourcePage of={(id) => <Experiment key={id} id={id} />} />;

function Experiment({ id }: { id: number }) {
  const overview = useOverview(id);
  // Requested in parallel with the overview.
  const timeline = useTimeline(id);
  const { data: decision } = useDecision(id);
  // After a decision, the page still leads to the next one.
  const [decided, setDecided] = useState(false);
  useTitle(overview.data?.label);
  return (
    <QueryResult query={overview} what="the experiment">
      {(experiment) => (
        <>
          <ExperimentHead experiment={experiment} decision={decision?.waiting || decided ? decision : undefined} />
          <Incidents experiment={experiment} actions={timeline.actions} />
          <TwoColumns
            main={
              <>
                {decision?.waiting && decision.state.id === experiment.state.id ? (
                  <DecisionPanel
                    key={`${experiment.state.id} ${experiment.entered_at}`}
                    experiment={experiment}
                    decision={decision}
                    onDecided={() => setDecided(true)}
                  />
                ) : null}
                <Timeline timeline={timeline} isFinal={experiment.transitions.length === 0} />
                <Notes experimentId={id} cohort={experiment.cohort} notes={experiment.notes} />
              </>
            }
            first={decision?.waiting ? null : <NextStates experiment={experiment} />}
            side={
              <>
                <FollowUpSection followed={{ ...experiment, experiment }} />
                <ExperimentData experiment={experiment} />
              </>
            }
          />
        </>
      )}
    </QueryResult>
  );
}
