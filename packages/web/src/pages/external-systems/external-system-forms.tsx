/** Creates and changes external systems. */
import { client } from '../../api/client.ts';
import { CreateForm } from '../../forms/create-form.tsx';
import { EditForm } from '../../forms/edit-form.tsx';
import type { Field } from '../../forms/field.tsx';
import { FormButton } from '../../forms/form-button.tsx';
import { readVersion } from '../../forms/save-changes.ts';
import { usePermission } from '../../session/session-context.ts';

const name: Field<'system_name'> = {
  name: 'system_name',
  label: 'Name',
  required: true,
  maxLength: 100,
  placeholder: 'XNAT',
};
const url: Field<'url'> = {
  name: 'url',
  label: 'URL',
  required: true,
  maxLength: 1024,
  placeholder: 'https://xnat.example.org',
};
const renamed =
  'If you rename it, conditions and callback arguments with the old name find nothing until you import their workflows again.';

export function NewExternalSystem() {
  return usePermission('config_manage') ? (
    <FormButton name="New external system" variant="filled">
      {(onClose) => (
        <CreateForm
          title="New external system"
          fields={[name, url]}
          first={{ system_name: '', url: '' }}
          create={(texts) =>
            client.createExternalSystem({ body: { system_name: texts.system_name.trim(), url: texts.url.trim() } })
          }
          done={({ system_name }) => `Created external system ${system_name}.`}
          onClose={onClose}
        />
      )}
    </FormButton>
  ) : null;
}

/** For users who may change external systems. */
export function EditExternalSystem({ system }: { system: { id: number; system_name: string } }) {
  const params = { id: system.id };
  return (
    <FormButton name="Edit" variant="subtle" label={`Edit ${system.system_name}`}>
      {(onClose) => (
        <EditForm
          title="Edit external system"
          of={['external system', system.id]}
          fields={[{ ...name, description: renamed }, url]}
          read={() =>
            readVersion('getExternalSystem', { params }, (read) => ({ system_name: read.system_name, url: read.url }))
          }
          send={(body, to) => to.updateExternalSystem({ params, body })}
          shownBy={['listExternalSystemRows', 'listExternalSystems']}
          done={({ system_name }) => `Saved external system ${system_name}.`}
          onClose={onClose}
        />
      )}
    </FormButton>
  );
}
