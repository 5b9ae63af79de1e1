/** A dialog with fields. A fault that the server reports for a field appears at the field. */
import { useEffect, useRef, useState, type ReactNode } from 'react';
import { errorBeyond, fieldErrors } from '../api/problems.ts';
import { DialogForm } from '../ui/form-dialog.tsx';
import type { Texts } from './changes.ts';
import { FieldInput, type Field } from './field.tsx';

interface Props<T extends Texts> {
  title: string;
  action: string;
  fields: readonly Field<keyof T & string>[];
  first: T;
  sending: { isPending: boolean; error: unknown };
  /** Why these texts cannot be sent. Default: they always can. */
  missingIn?: (texts: T) => string | undefined;
  onSubmit: (texts: T) => void;
  onClose: () => void;
  /** A button at the other end of the row of buttons. */
  aside?: ReactNode;
  /** Below the fields. */
  children?: ReactNode;
}

/** The fields can appear after the dialog has opened, and a fault can be in any of them. */
function useFocus(error: unknown) {
  const box = useRef<HTMLDivElement>(null);
  const focus = (selector: string) => box.current?.querySelector<HTMLElement>(selector)?.focus();
  useEffect(() => {
    // Later than the dialog, which first remembers where the focus returns to.
    const timer = setTimeout(() => focus('[data-autofocus]'));
    return () => clearTimeout(timer);
  }, []);
  useEffect(() => {
    if (error) focus('[aria-invalid=true]');
  }, [error]);
  return box;
}

/** Browsers do not check a choice, which is a read-only input for them. */
function missingChoice(fields: readonly Field[], texts: Texts): string | undefined {
  const field = fields.find(({ kind, required, name }) => kind === 'choice' && required === true && !texts[name]);
  return field && `${field.label} is required.`;
}

export function FieldsForm<T extends Texts>({ fields, first, sending, children, ...props }: Props<T>) {
  const [texts, setTexts] = useState(first);
  const box = useFocus(sending.error);
  const errors = fieldErrors(sending.error);
  const names = fields.map(({ name }) => name);
  return (
    <DialogForm
      title={props.title}
      action={props.action}
      sending={{ isPending: sending.isPending, error: errorBeyond(sending.error, names) }}
      missing={missingChoice(fields, texts) ?? props.missingIn?.(texts)}
      onSubmit={() => props.onSubmit(texts)}
      onClose={props.onClose}
      aside={props.aside}
    >
      <div ref={box} style={{ display: 'contents' }}>
        {fields.map((field, index) => (
          <FieldInput
            key={field.name}
            field={field}
            isFirst={index === 0}
            value={texts[field.name] ?? ''}
            onChange={(text) => setTexts((before) => ({ ...before, [field.name]: text }))}
            error={errors.get(field.name)}
          />
        ))}
      </div>
      {children}
    </DialogForm>
  );
}
