import { useQuery } from '@tanstack/react-query';
import { StateChip } from '../../status/state-chip.tsx';
import { Name } from '../../ui/name.tsx';
import { graphQuery } from './use-workflow.ts';

/** A state of which only the label is known. An experiment that exists can be in another workflow. */
export function NamedStateChip({ workflow, label }: { workflow: { id: number } | null; label: string }) {
  const { data } = useQuery({ ...graphQuery(workflow?.id ?? 0), enabled: workflow !== null });
  const state = data?.states.find((one) => one.label === label);
  return state ? <StateChip state={state} /> : <Name text={label} />;
}
