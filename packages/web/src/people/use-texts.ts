/** The texts of a form, and the props of its inputs. */
import { useState } from 'react';

export function useTexts<Texts extends Record<string, string>>(first: Texts) {
  const [texts, setTexts] = useState(first);
  const field = (name: keyof Texts) => ({
    value: texts[name],
    onChange: ({ currentTarget: { value } }: { currentTarget: { value: string } }) =>
      setTexts((before) => ({ ...before, [name]: value })),
  });
  return { texts, field };
}
