/** Creates and changes cohorts. */
import { useNavigate } from 'react-router';
import { client } from '../../api/client.ts';
import { CreateForm } from '../../forms/create-form.tsx';
import { EditForm } from '../../forms/edit-form.tsx';
import type { Field } from '../../forms/field.tsx';
import { FormButton } from '../../forms/form-button.tsx';
import { readVersion } from '../../forms/save-changes.ts';
import { paths } from '../../paths.ts';
import { useCohortPermission, usePermission } from '../../session/session-context.ts';
import type { CohortHead } from './use-cohort.ts';

const fields: readonly Field<'label' | 'description'>[] = [
  { name: 'label', label: 'Label', required: true, placeholder: 'memory-clinic-2026' },
  { name: 'description', label: 'Description (optional)', kind: 'long', maxLength: 10_000 },
];

export function NewCohort({ variant = 'filled' }: { variant?: 'filled' | 'default' }) {
  const navigate = useNavigate();
  return usePermission('sample_add') ? (
    <FormButton name="New cohort" variant={variant}>
      {(onClose) => (
        <CreateForm
          title="New cohort"
          fields={fields}
          first={{ label: '', description: '' }}
          create={({ label, description }) =>
            client.createCohort({ body: { label: label.trim(), description: description.trim() } })
          }
          done={({ label }) => `Created cohort ${label}.`}
          onCreated={({ id }) => void navigate(paths.cohort(id))}
          onClose={onClose}
        />
      )}
    </FormButton>
  ) : null;
}

export function EditCohort({ cohort }: { cohort: CohortHead }) {
  const params = { id: cohort.id };
  return useCohortPermission(cohort, 'sample_add') ? (
    <FormButton name="Edit">
      {(onClose) => (
        <EditForm
          title="Edit cohort"
          of={['cohort', cohort.id]}
          fields={fields}
          read={() =>
            readVersion('getCohort', { params, fields: '{label,description}' }, ({ label, description }) => ({
              label,
              description,
            }))
          }
          send={(body, to) => to.updateCohort({ params, body, fields: '{label}' })}
          shownBy={['getCohort', 'listCohorts']}
          done={({ label }) => `Saved cohort ${label}.`}
          onClose={onClose}
        />
      )}
    </FormButton>
  ) : null;
}
