/**
 * Imports a file in two steps: a dry run, whose plan the user reads, and the import of exactly the text and the options of that
 * plan. After any change, the file is checked again first.
 */
import { useMutation } from '@tanstack/react-query';
import { useCallback, useRef, useState } from 'react';

export interface Draft<Options> {
  text: string;
  options: Options;
}

interface Steps<Options, Plan, Result> {
  first: Draft<Options>;
  check: (draft: Draft<Options>) => Promise<Plan>;
  run: (draft: Draft<Options>) => Promise<Result>;
  onImported: (result: Result) => void | Promise<void>;
  /** The options after the text has changed. Default: the same. */
  optionsOfOtherText?: Options;
}

export function useDefinitionImport<Options, Plan, Result>(steps: Steps<Options, Plan, Result>) {
  const [draft, setDraft] = useState(steps.first);
  const [checked, setChecked] = useState<Draft<Options> & { plan: Plan }>();
  // The file of a configuration has passwords, so finished requests are not kept in memory.
  const check = useMutation({
    mutationFn: steps.check,
    onSuccess: (plan, of) => setChecked({ ...of, plan }),
    onError: () => setChecked(undefined),
    gcTime: 0,
  });
  const isImported = useRef(false);
  const run = useMutation({
    mutationFn: steps.run,
    onSuccess: (result) => {
      isImported.current = true;
      return steps.onImported(result);
    },
    gcTime: 0,
  });
  const isChecked = checked?.text === draft.text && JSON.stringify(checked.options) === JSON.stringify(draft.options);
  const isPending = check.isPending || run.isPending;
  const isChanged = draft.text !== steps.first.text;
  const isUnsaved = useCallback(() => isChanged && !isImported.current, [isChanged]);
  const withText = (text: string) => ({ text, options: steps.optionsOfOtherText ?? draft.options });
  const change = (next: Draft<Options>, isComplete: boolean) => {
    if (run.isPending) return;
    setDraft(next);
    run.reset();
    if (isComplete) check.mutate(next);
    else if (next.text !== draft.text) check.reset();
  };
  return {
    draft,
    setText: (text: string) => change(withText(text), false),
    /** For a chosen file, which is checked at once. */
    setFile: (text: string) => change(withText(text), text.trim() !== ''),
    /** A new choice is checked at once if the text was. */
    setOptions: (options: Options) => change({ ...draft, options }, checked?.text === draft.text),
    /** The plan of the text, until the text changes. */
    plan: checked?.text === draft.text ? checked.plan : undefined,
    isChecked,
    /** Whether the text would be lost if the user left the page. */
    isUnsaved,
    isPending,
    error: run.error ?? check.error,
    check: () => {
      if (draft.text.trim() === '' || isPending) return;
      run.reset();
      check.mutate(draft);
    },
    run: () => run.mutate(draft),
  };
}

export type DefinitionImport<Options, Plan, Result> = ReturnType<typeof useDefinitionImport<Options, Plan, Result>>;
