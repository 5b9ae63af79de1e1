/** Creates and changes subjects. */
import { useNavigate } from 'react-router';
import { client } from '../../api/client.ts';
import { usePermittedCohorts } from '../../filters/permitted-cohorts.ts';
import { filledIn } from '../../forms/changes.ts';
import { CreateForm } from '../../forms/create-form.tsx';
import { EditForm } from '../../forms/edit-form.tsx';
import type { Field } from '../../forms/field.tsx';
import { FormButton } from '../../forms/form-button.tsx';
import { readVersion } from '../../forms/save-changes.ts';
import { paths } from '../../paths.ts';
import { useCohortPermission } from '../../session/session-context.ts';

const fields: readonly Field<'label' | 'date_of_birth'>[] = [
  { name: 'label', label: 'Label', required: true, placeholder: 'MC-0041' },
  { name: 'date_of_birth', label: 'Date of birth (optional)', kind: 'date' },
];

interface NewProps {
  cohort: { id: number; label: string };
}

export function NewSubject({ cohort }: NewProps) {
  const navigate = useNavigate();
  return useCohortPermission(cohort, 'sample_add') ? (
    <FormButton name="New subject" variant="filled">
      {(onClose) => (
        <CreateForm
          title={`New subject in ${cohort.label}`}
          fields={fields}
          first={{ label: '', date_of_birth: '' }}
          create={(texts) =>
            client.createSubject({
              body: { ...filledIn(texts), label: texts.label.trim(), cohort_label: cohort.label },
            })
          }
          done={({ label }) => `Created subject ${label}.`}
          onCreated={({ id }) => void navigate(paths.subject(id))}
          onClose={onClose}
        />
      )}
    </FormButton>
  ) : null;
}

interface EditProps {
  subject: { id: number; cohort: { id: number }; withdrawn: { erased_at: string | null } | null };
}

/** An erased subject cannot be changed. */
export function EditSubject({ subject }: EditProps) {
  const mayEdit = useCohortPermission(subject.cohort, 'sample_add');
  return mayEdit && (subject.withdrawn?.erased_at ?? null) === null ? (
    <FormButton name="Edit">{(onClose) => <EditSubjectForm id={subject.id} onClose={onClose} />}</FormButton>
  ) : null;
}

/** The subject can move to another cohort together with its experiments. */
function EditSubjectForm({ id, onClose }: { id: number; onClose: () => void }) {
  const cohorts = usePermittedCohorts('sample_add').map(({ label }) => ({ value: label, label }));
  const params = { id };
  return (
    <EditForm
      title="Edit subject"
      of={['subject', id]}
      fields={[...fields, { name: 'cohort_label', label: 'Cohort', kind: 'choice', required: true, choices: cohorts }]}
      read={() =>
        readVersion(
          'getSubject',
          { params, fields: '{label,date_of_birth,cohort}' },
          ({ label, date_of_birth, cohort }) => ({
            label,
            date_of_birth: date_of_birth ?? '',
            cohort_label: cohort.label,
          }),
        )
      }
      send={({ date_of_birth: born, ...body }, to) =>
        to.updateSubject({
          params,
          body: { ...body, ...(born === undefined ? {} : { date_of_birth: born === '' ? null : born }) },
          fields: '{label}',
        })
      }
      shownBy={['getSubject']}
      done={({ label }) => `Saved subject ${label}.`}
      onClose={onClose}
    />
  );
}
