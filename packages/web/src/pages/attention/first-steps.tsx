/** What to do first in an installation without experiments. */
import { Button } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { Link } from 'react-router';
import { operationQuery } from '../../api/operation-query.ts';
import { paths } from '../../paths.ts';
import { usePermission } from '../../session/session-context.ts';
import { Icon } from '../../ui/icon.tsx';
import { EmptyState, Loading } from '../../ui/placeholders.tsx';
import { QueryErrors } from '../../ui/query-result.tsx';
import { NewCohort } from '../cohorts/cohort-forms.tsx';
import { ImportWorkflowButton } from '../workflows/import/import-workflow-button.tsx';
import { workflowsQuery } from '../workflows/use-workflow.ts';
import styles from './first-steps.module.css';

const first = { query: { limit: 1 } };
const cohortQuery = operationQuery('listCohorts', first, ({ object_kind }) => object_kind === 'cohort');
const subjectQuery = operationQuery('listSubjects', first, ({ object_kind }) => object_kind === 'subject');

export function FirstSteps() {
  const [workflows, cohorts, subjects] = [useQuery(workflowsQuery), useQuery(cohortQuery), useQuery(subjectQuery)];
  if (!workflows.data || !cohorts.data || !subjects.data) {
    return workflows.error || cohorts.error || subjects.error ? (
      <QueryErrors queries={[workflows, cohorts, subjects]} />
    ) : (
      <Loading what="the first steps" />
    );
  }
  return (
    <Steps
      hasWorkflow={workflows.data.workflows.length > 0}
      cohort={cohorts.data.cohorts[0]}
      subject={subjects.data.subjects[0]}
    />
  );
}

interface StepsProps {
  hasWorkflow: boolean;
  /** The first ones. */
  cohort: { id: number; label: string } | undefined;
  subject: { id: number; label: string } | undefined;
}

function Steps({ hasWorkflow, cohort, subject }: StepsProps) {
  const mayImport = usePermission('workflow_manage');
  return (
    <>
      <EmptyState title="No experiments yet.">
        These steps lead to the first one. Experiments appear on this page when they need attention.
      </EmptyState>
      <ol className={styles['steps']}>
        <Step title="Import a workflow" isDone={hasWorkflow} action={<ImportWorkflowButton />}>
          A YAML file with the states through which experiments move.
        </Step>
        <Step
          title="Create a cohort"
          isDone={cohort !== undefined}
          action={<NewCohort variant={hasWorkflow || !mayImport ? 'filled' : 'default'} />}
        >
          A group of subjects, such as one study.
        </Step>
        <Step
          title="Add a subject"
          isDone={subject !== undefined}
          action={cohort ? <Open to={paths.cohort(cohort.id)} label={cohort.label} /> : null}
        >
          A participant of the study. You can also <Link to={paths.imports}>import a spreadsheet</Link> with subjects
          and experiments.
        </Step>
        <Step
          title="Create an experiment"
          isDone={false}
          action={subject && hasWorkflow ? <Open to={paths.subject(subject.id)} label={subject.label} /> : null}
        >
          A session of the subject, such as an MRI session.
        </Step>
      </ol>
    </>
  );
}

interface StepProps {
  title: string;
  isDone: boolean;
  action: ReactNode;
  children: ReactNode;
}

const Step = ({ title, isDone, action, children }: StepProps) => (
  <li className={styles['step']} data-done={isDone || undefined}>
    <span className={styles['mark']}>{isDone ? <Icon name="success" /> : null}</span>
    <div>
      <h2>
        {title}
        {isDone ? <span className={styles['done']}> Done</span> : null}
      </h2>
      <p>{children}</p>
    </div>
    {isDone ? null : action}
  </li>
);

const Open = ({ to, label }: { to: string; label: string }) => (
  <Button component={Link} variant="filled" to={to}>
    Open {label}
  </Button>
);
