/** The looks of all states, loaded once for all pages. */
import { useQuery } from '@tanstack/react-query';
import { createContext, useCallback, useContext, type ReactNode } from 'react';
import { operationQuery } from '../api/operation-query.ts';
import { plainLook, stateLooks, titlesByLabel, type NamedState, type StateLook } from './state-looks.ts';
import { workflowsOf } from './workflows-of-states.ts';

/** An import is the only change of a state. */
const stateLooksQuery = operationQuery('getStateLooks', {}, ({ object_kind }) => object_kind === 'workflow');

/** Users with access to some cohorts only get no events about workflows. */
const everyMilliseconds = 10 * 60_000;

/** Returns the title of the state with this label. */
export type TitleOf = (label: string) => string;

const none: ReadonlyMap<number, StateLook> = new Map();
const Looks = createContext(none);

export function StateLooks({ children }: { children: ReactNode }) {
  const { data } = useQuery({ ...stateLooksQuery, select: stateLooks, refetchInterval: everyMilliseconds });
  return <Looks value={data ?? none}>{children}</Looks>;
}

/** A function, for several states. Until the looks are loaded, a state has its label and a colour by its id. */
export function useStateLooks(): (state: NamedState) => StateLook {
  const looks = useContext(Looks);
  return (state) => looks.get(state.id) ?? plainLook(state);
}

/** For states of which only the label is known. */
export function useTitlesByLabel(): TitleOf {
  const titles = useQuery({ ...stateLooksQuery, select: titlesByLabel }).data;
  return useCallback((label) => titles?.get(label) ?? label, [titles]);
}

/** The workflows of these states, without a request of its own. Undefined until the looks are loaded. */
export function useWorkflowsOf(states: readonly { id: number }[]): number[] | undefined {
  const { data } = useQuery(stateLooksQuery);
  return data && workflowsOf(states, data);
}

export const useStateLook = (state: NamedState): StateLook => useStateLooks()(state);
