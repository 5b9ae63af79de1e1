import { Button } from '@mantine/core';
import { Link } from 'react-router';
import { paths } from '../../paths.ts';
import { usePermission, useCohortPermission } from '../../session/session-context.ts';
import { StateChip } from '../../status/state-chip.tsx';
import { WithdrawnChip } from '../../status/withdrawn-chip.tsx';
import { NameLink } from '../../ui/name.tsx';
import { Breadcrumbs } from '../../ui/page-layout.tsx';
import { ScanDay, Timestamp } from '../../ui/timestamp.tsx';
import { CopyRequest } from './copy-request.tsx';
import { DecisionQueue, Due, Overdue } from './decision/decision-queue.tsx';
import type { ExperimentDecision } from './decision/use-decision.ts';
import { EditExperiment } from './experiment-forms.tsx';
import { remedyFor, type Remedy } from './remedy.ts';
import type { Overview } from './use-experiment.ts';
import { useRemedy } from './use-remedy.ts';
import styles from './experiment.module.css';

interface HeadProps {
  experiment: Overview;
  /** If it waits for a decision, or a decision has just been made. */
  decision: ExperimentDecision | undefined;
}

export const ExperimentHead = ({ experiment, decision }: HeadProps) => (
  <header className={styles['top']}>
    <div className={styles['words']}>
      <Breadcrumbs
        crumbs={[
          { label: experiment.cohort.label, to: paths.cohort(experiment.cohort.id) },
          { label: experiment.subject.label, to: paths.subject(experiment.subject.id) },
        ]}
      />
      <div className={styles['title']}>
        <h1>
          <bdi>{experiment.label}</bdi>
        </h1>
        <StateChip state={experiment.state} />
        {experiment.withdrawn === null ? null : <WithdrawnChip date={experiment.withdrawn} />}
        {decision ? <Overdue decision={decision} /> : null}
      </div>
      <About experiment={experiment} decision={decision} />
    </div>
    {decision ? <DecisionQueue decision={decision} /> : null}
    <Actions experiment={experiment} />
  </header>
);

const About = ({ experiment, decision }: Pick<HeadProps, 'experiment' | 'decision'>) => {
  const { workflow, scandate, entered_at } = experiment;
  return (
    <div className={styles['about']}>
      <span>
        Workflow <NameLink text={workflow.label} to={paths.workflow(workflow.id)} />
      </span>
      <span>
        {scandate === null ? (
          'No scan date'
        ) : (
          <>
            Scanned <ScanDay scandate={scandate} />
          </>
        )}
      </span>
      {entered_at === null ? null : (
        <span>
          In this state <Timestamp at={entered_at} as="for" />
        </span>
      )}
      {decision ? <Due decision={decision} /> : null}
    </div>
  );
};

const Actions = ({ experiment }: { experiment: Overview }) => (
  <div className={styles['buttons']}>
    {usePermission('audit_read') ? (
      <Button component={Link} to={`${paths.audit}?experiment=${experiment.id}`}>
        Audit log
      </Button>
    ) : null}
    <EditExperiment experiment={experiment} />
    <Remedies experiment={experiment} />
  </div>
);

function Remedies({ experiment }: { experiment: Overview }) {
  const mayMove = useCohortPermission(experiment.cohort, 'sample_state_update');
  const remedy = remedyFor(experiment);
  if (!remedy) return null;
  const url = `${experiment.api_uri}/${remedy.operation}`;
  return (
    <>
      <CopyRequest what={remedy.name} request={{ method: 'POST', url, body: {} }} />
      {mayMove ? <RemedyButton experiment={experiment} remedy={remedy} /> : null}
    </>
  );
}

function RemedyButton({ experiment, remedy }: { experiment: Overview; remedy: Remedy }) {
  const run = useRemedy(experiment);
  return (
    <Button variant="filled" loading={run.isPending} onClick={() => run.mutate(remedy)}>
      {remedy.name}
    </Button>
  );
}
