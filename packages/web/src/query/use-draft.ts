/** The term of a query that is being typed. */
import { queries } from '@milepost/api';
import { useState } from 'react';
import { errorText } from './chips.ts';

export interface Draft {
  text: string;
  cursor: number;
  edit: (text: string, cursor?: number) => void;
  /** Whether the text is a whole term, so that a space ends it. */
  isTerm: boolean;
  /** The error, after the user tried to search for the text. */
  error: string | undefined;
  /** Adds the text to the query. A text with an error stays. */
  apply: (text: string) => void;
}

/** `onAdd` receives a text without errors. */
export function useDraft(onAdd: (text: string) => void): Draft {
  const [draft, setDraft] = useState({ text: '', cursor: 0 });
  const [rejected, setRejected] = useState<string>();
  const { errors, terms } = queries.readQuery(draft.text);
  const edit = (text: string, cursor = text.length) => setDraft({ text, cursor });
  const apply = (text: string) => {
    const isReadable = queries.readQuery(text).errors.length === 0;
    if (isReadable && text.trim() !== '') onAdd(text);
    setRejected(isReadable ? undefined : text);
    edit(isReadable ? '' : text);
  };
  return {
    ...draft,
    edit,
    isTerm: terms.length > 0 && errors.length === 0,
    error: errors[0] && rejected === draft.text ? errorText(errors[0]) : undefined,
    apply,
  };
}
