/** The texts of a form: as state of the page, or read from the submitted form. */
import { useState } from 'react';

/** The texts, and a function that returns the props of an input. */
export function useFormFields<Texts extends Record<string, string>>(first: Texts) {
  const [texts, setTexts] = useState(first);
  const field = (name: keyof Texts) => ({
    value: texts[name],
    onChange: ({ currentTarget: { value } }: { currentTarget: { value: string } }) =>
      setTexts((before) => ({ ...before, [name]: value })),
  });
  return { texts, field };
}

/** The text of a field of the submitted form. */
export function formText(form: FormData, name: string): string {
  const value = form.get(name);
  return typeof value === 'string' ? value : '';
}
