/** One experiment: its state, incidents, timeline, next states and data. */
import { TwoColumns, useTitle } from '../../ui/page-layout.tsx';
import { QueryResult } from '../../ui/query-result.tsx';
import { ResourcePage } from '../resource-page.tsx';
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
  useTitle(overview.data?.label);
  return (
    <QueryResult query={overview} what="the experiment">
      {(experiment) => (
        <>
          <ExperimentHead experiment={experiment} />
          <Incidents experiment={experiment} actions={timeline.actions} />
          <TwoColumns
            main={
              <>
                <Timeline timeline={timeline} />
                <Notes experimentId={id} cohort={experiment.cohort} notes={experiment.notes} />
              </>
            }
            first={<NextStates experiment={experiment} />}
            side={<ExperimentData experiment={experiment} />}
          />
        </>
      )}
    </QueryResult>
  );
}
