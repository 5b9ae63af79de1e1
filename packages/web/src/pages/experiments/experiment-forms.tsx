/** Creates and changes experiments. */
import { useQuery } from '@tanstack/react-query';
import { useNavigate } from 'react-router';
import { client } from '../../api/client.ts';
import { usePermittedCohorts } from '../../filters/permitted-cohorts.ts';
import { cohortsQuery } from '../../filters/study-filters.tsx';
import { filledIn } from '../../forms/changes.ts';
import { CreateForm } from '../../forms/create-form.tsx';
import { EditForm } from '../../forms/edit-form.tsx';
import type { Field } from '../../forms/field.tsx';
import { FirstStep } from '../../forms/first-step.tsx';
import { FormButton } from '../../forms/form-button.tsx';
import { readVersion } from '../../forms/save-changes.ts';
import { scanDateText } from '../../forms/scan-date.ts';
import { paths } from '../../paths.ts';
import { useCohortPermission, usePermission, usePermissionSomewhere } from '../../session/session-context.ts';
import { Loading } from '../../ui/placeholders.tsx';
import { QueryErrors } from '../../ui/query-result.tsx';
import { workflowsQuery } from '../workflows/use-workflow.ts';
import type { Overview } from './use-experiment.ts';

const label: Field<'label'> = { name: 'label', label: 'Label', required: true, placeholder: 'MC-0041-baseline' };
const scandate: Field<'scandate'> = { name: 'scandate', label: 'Scan date (optional)', kind: 'scan_date' };

const choice = <Name extends string>(name: Name, title: string, labels: readonly string[]): Field<Name> => ({
  name,
  label: title,
  kind: 'choice',
  required: true,
  placeholder: `Choose a ${title.toLowerCase()}`,
  choices: labels.map((value) => ({ value, label: value })),
});

interface FormProps {
  /** Without a subject, the form asks for it. */
  subject: { label: string; cohort: { label: string } } | undefined;
  onClose: () => void;
}

const onlyOne = (labels: readonly string[]) => (labels.length === 1 ? (labels[0] ?? '') : '');

const subjectFields = (cohorts: readonly string[]) => [
  choice('cohort_label', 'Cohort', cohorts),
  { name: 'subject_label' as const, label: 'Subject', required: true as const, placeholder: 'MC-0041' },
];

interface ChoiceProps extends FormProps {
  workflows: readonly string[];
  cohorts: readonly string[];
}

/** An experiment cannot change its workflow later, so a choice between several is left to the user. */
function NewExperimentForm({ subject, onClose, workflows, cohorts }: ChoiceProps) {
  const navigate = useNavigate();
  return (
    <CreateForm
      title={subject ? `New experiment of ${subject.label}` : 'New experiment'}
      fields={[
        ...(subject ? [] : subjectFields(cohorts)),
        label,
        choice('workflow_label', 'Workflow', workflows),
        scandate,
      ]}
      first={{
        cohort_label: subject?.cohort.label ?? onlyOne(cohorts),
        subject_label: subject?.label ?? '',
        label: '',
        workflow_label: onlyOne(workflows),
        scandate: '',
      }}
      create={(texts) => client.createExperiment({ body: { ...filledIn(texts), label: texts.label.trim() } })}
      done={(created) => `Created experiment ${created.label}.`}
      onCreated={({ id }) => void navigate(paths.experiment(id))}
      onClose={onClose}
    />
  );
}

/** Experiments need a workflow and a subject, so a new installation has other first steps. */
function WithChoices(props: FormProps) {
  const workflows = useQuery(workflowsQuery);
  const cohorts = useQuery({ ...cohortsQuery, enabled: props.subject === undefined });
  const permitted = usePermittedCohorts('sample_add');
  const mayImport = usePermission('workflow_manage');
  const { onClose } = props;
  if (!workflows.data || (props.subject === undefined && !cohorts.data)) {
    return workflows.error || cohorts.error ? (
      <QueryErrors queries={[workflows, cohorts]} />
    ) : (
      <Loading what="workflows" />
    );
  }
  const labels = workflows.data.workflows.map((workflow) => workflow.label);
  if (labels.length === 0) {
    const next = mayImport ? { name: 'Import workflow', to: paths.workflowImport } : undefined;
    return (
      <FirstStep title="New experiment" next={next} onClose={onClose}>
        Each experiment moves through a workflow, and there are no workflows yet.{' '}
        {mayImport ? 'Import one first.' : 'Ask an administrator to import one.'}
      </FirstStep>
    );
  }
  if (props.subject === undefined && permitted.length === 0) {
    return (
      <FirstStep title="New experiment" next={{ name: 'Cohorts', to: paths.cohorts }} onClose={onClose}>
        Each experiment belongs to a subject of a cohort, and there are no cohorts yet. Create one first.
      </FirstStep>
    );
  }
  return <NewExperimentForm {...props} workflows={labels} cohorts={permitted.map((cohort) => cohort.label)} />;
}

interface NewProps {
  subject: { label: string; cohort: { id: number; label: string }; withdrawn: object | null };
}

/** A withdrawn subject gets no experiments. */
export function NewExperiment({ subject }: NewProps) {
  return useCohortPermission(subject.cohort, 'sample_add') && subject.withdrawn === null ? (
    <FormButton name="New experiment" variant="filled">
      {(onClose) => <WithChoices subject={subject} onClose={onClose} />}
    </FormButton>
  ) : null;
}

/** For pages that show no subject. */
export const NewExperimentOfAny = ({ variant = 'default' }: { variant?: 'filled' | 'default' }) =>
  usePermissionSomewhere('sample_add') ? (
    <FormButton name="New experiment" variant={variant}>
      {(onClose) => <WithChoices subject={undefined} onClose={onClose} />}
    </FormButton>
  ) : null;

export function EditExperiment({ experiment }: { experiment: Overview }) {
  const params = { id: experiment.id };
  return useCohortPermission(experiment.cohort, 'sample_update') ? (
    <FormButton name="Edit">
      {(onClose) => (
        <EditForm
          title="Edit experiment"
          of={['experiment', experiment.id]}
          fields={[label, scandate]}
          read={() =>
            readVersion('getExperiment', { params, fields: '{label,scandate}' }, (read) => ({
              label: read.label,
              scandate: scanDateText(read.scandate),
            }))
          }
          send={({ scandate: date, ...body }, to) =>
            to.updateExperiment({
              params,
              body: { ...body, ...(date === undefined ? {} : { scandate: date === '' ? null : date }) },
              fields: '{label}',
            })
          }
          shownBy={['getExperimentOverview']}
          done={(saved) => `Saved experiment ${saved.label}.`}
          onClose={onClose}
        />
      )}
    </FormButton>
  ) : null;
}
