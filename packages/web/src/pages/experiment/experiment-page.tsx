/** One experiment: where it is, how it came here, what runs now, and where it can go. */
import { Answer } from '../../shown/answer.tsx';
import { Columns } from '../../shown/columns.tsx';
import { useTitle } from '../../shown/use-title.ts';
import { ResourcePage } from '../resource-page.tsx';
import { Belongings } from './belongings.tsx';
import { ExperimentHead } from './experiment-head.tsx';
import { Incidents } from './incidents.tsx';
import { Notes } from './notes.tsx';
import { Story } from './story.tsx';
import { useOverview, useTimeline } from './use-experiment.ts';
import { Ways } from './ways.tsx';

export const ExperimentPage = () => <ResourcePage of={(id) => <Experiment key={id} id={id} />} />;

function Experiment({ id }: { id: number }) {
  const overview = useOverview(id);
  // Asked for beside the overview, and not behind it.
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
                <Story timeline={timeline} />
                <Notes experimentId={id} cohort={experiment.cohort} notes={experiment.notes} />
              </>
            }
            first={<Ways experiment={experiment} />}
            side={<Belongings experiment={experiment} />}
          />
        </>
      )}
    </Answer>
  );
}
