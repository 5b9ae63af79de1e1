import { FormButton } from '../forms/form-button.tsx';
import { useCohortPermission } from '../session/session-context.ts';
import { kinds, type Owner } from './kinds.ts';
import { ValueForm } from './value-form.tsx';

export function EditValue({ owner, system }: { owner: Owner; system: string }) {
  return useCohortPermission(owner.cohort, 'sample_update') ? (
    <FormButton name="Edit" variant="subtle" label={`Edit ${kinds[owner.kind].noun} in ${system}`}>
      {(onClose) => <ValueForm owner={owner} system={system} onClose={onClose} />}
    </FormButton>
  ) : null;
}

export function AddValue({ owner }: { owner: Owner }) {
  return useCohortPermission(owner.cohort, 'sample_update') ? (
    <FormButton name={`Add ${kinds[owner.kind].noun}`} variant="subtle">
      {(onClose) => <ValueForm owner={owner} onClose={onClose} />}
    </FormButton>
  ) : null;
}
