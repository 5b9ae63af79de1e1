/** How states are shown: one request has the titles, colours and kinds of all states, so that a state looks the same everywhere. */
import type { BodyOf } from '../api/operation-query.ts';
import { stateColour, stateColours } from './state-colour.ts';

export interface StateLook {
  title: string;
  colour: string;
  /** Of a final state. */
  outcome: 'good' | 'bad' | 'neutral' | undefined;
  /** Users decide where experiments go from here. */
  decides: boolean;
}

export interface NamedState {
  id: number;
  label: string;
}

type ShownState = BodyOf<'getStateLooks'>['states'][number];

function lookOf({ title, kind }: ShownState, colour: string): StateLook {
  const isFinal = kind !== 'open' && kind !== 'decision';
  return { title, colour, outcome: isFinal ? kind : undefined, decides: kind === 'decision' };
}

export function stateLooks({ states }: BodyOf<'getStateLooks'>): ReadonlyMap<number, StateLook> {
  const workflows = Map.groupBy(states, ({ workflow_id }) => workflow_id);
  const colours = new Map([...workflows.values()].flatMap((own) => [...stateColours(own)]));
  return new Map(states.map((state) => [state.id, lookOf(state, colours.get(state.id) ?? '')]));
}

/** The title of each label. Without labels that have several titles, because workflows can have states with the same label. */
export function titlesByLabel({ states }: BodyOf<'getStateLooks'>): ReadonlyMap<string, string> {
  const titles = new Map<string, string | undefined>();
  for (const { label, title } of states)
    titles.set(label, !titles.has(label) || titles.get(label) === title ? title : undefined);
  return new Map([...titles].flatMap(([label, title]) => (title === undefined ? [] : [[label, title]])));
}

/** For a state that is not loaded. */
export const plainLook = ({ id, label }: NamedState): StateLook => ({
  title: label,
  colour: stateColour(id),
  outcome: undefined,
  decides: false,
});
