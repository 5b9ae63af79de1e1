import { useMutation } from '@tanstack/react-query';
import { announceDone } from '../ui/announcements.tsx';
import type { Texts } from './changes.ts';
import type { Field } from './field.tsx';
import { FieldsForm } from './fields-form.tsx';

interface Props<T extends Texts, Created> {
  /** Also the label of the button: `New cohort`. */
  title: string;
  fields: readonly Field<keyof T & string>[];
  first: T;
  create: (texts: T) => Promise<Created>;
  done: (created: Created) => string;
  /** Opens the new object. */
  onCreated?: (created: Created) => void;
  onClose: () => void;
}

/** Creates an object. */
export function CreateForm<T extends Texts, Created>({ create, done, onCreated, ...form }: Props<T, Created>) {
  const creation = useMutation({
    mutationFn: create,
    onSuccess: (created) => {
      announceDone(done(created));
      form.onClose();
      onCreated?.(created);
    },
  });
  return <FieldsForm {...form} action="Create" sending={creation} onSubmit={(texts) => creation.mutate(texts)} />;
}
