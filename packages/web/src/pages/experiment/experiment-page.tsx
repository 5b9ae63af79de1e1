/** One experiment: its state, incidents, timeline, next states and data. */
import { Answer } from '../../shown/answer.tsx';
import { Columns } from '../../shown/columns.tsx';
import { useTitle } from '../../shown/use-title.ts';
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
    <Answer of={overview} what="the experiment">
      {(experiment) => (
        <>
          <ExperimentHead experiment={experiment} />
          <Incidents experiment={experiment} actions={timeline.actions} />
          <Columns
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
    </Answer>
  );
}
