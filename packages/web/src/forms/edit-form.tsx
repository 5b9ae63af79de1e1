import { Conflict, type Version } from './save-changes.ts';
import { QueryResult } from '../ui/query-result.tsx';
import { changesOf, type Texts } from './changes.ts';
import { ConflictNote } from './conflict-note.tsx';
import type { Field } from './field.tsx';
import { FieldsForm } from './fields-form.tsx';
import { useOpened, useSaving, type EditProps } from './use-editing.ts';

interface Props<T extends Texts, Saved> extends EditProps<T, Saved> {
  title: string;
  fields: readonly Field<keyof T & string>[];
}

/** Changes an object. */
export function EditForm<T extends Texts, Saved>(props: Props<T, Saved>) {
  const opened = useOpened(props);
  return (
    <QueryResult query={opened} what={`the ${props.of[0]}`}>
      {(version) => <OpenedForm {...props} opened={version} />}
    </QueryResult>
  );
}

function OpenedForm<T extends Texts, Saved>({ opened, ...props }: Props<T, Saved> & { opened: Version<T> }) {
  const { first, save, conflict } = useSaving(props, opened);
  const { title, fields, onClose } = props;
  return (
    <FieldsForm
      title={title}
      action={conflict ? 'Overwrite' : 'Save'}
      fields={fields}
      first={opened.texts}
      sending={{ isPending: save.isPending, error: save.error instanceof Conflict ? null : save.error }}
      missingIn={(texts) => (Object.keys(changesOf(first, texts)).length > 0 ? undefined : 'Nothing has changed yet.')}
      onSubmit={(texts) => save.mutate(texts)}
      onClose={onClose}
    >
      {conflict ? <ConflictNote conflict={conflict} labelOf={labelIn(fields)} /> : null}
    </FieldsForm>
  );
}

const labelIn = (fields: readonly Field[]) => (name: string) =>
  fields.find((field) => field.name === name)?.label.replace(' (optional)', '') ?? name;
