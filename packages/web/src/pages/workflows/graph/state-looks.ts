/** How the states of a workflow are shown: title, colour, and whether they are final or wait for decisions. */
import type { BodyOf } from '../../../api/operation-query.ts';
import { stateColours, type ColouredState } from '../../../status/state-colour.ts';

type Graph = Pick<BodyOf<'getWorkflowGraph'>, 'states' | 'transitions'>;

/** Fields that the workflow file can set. */
interface FileLook extends Pick<ColouredState, 'colour' | 'outcome'> {
  title?: string;
  decision?: object | null;
}

export interface StateLook {
  title: string;
  colour: string;
  /** The outcome of a final state. */
  final: 'good' | 'bad' | 'neutral' | undefined;
  /** A user decides where experiments go from here. */
  isDecision: boolean;
}

export function stateLooks({ states, transitions }: Graph): Map<number, StateLook> {
  const exits = Map.groupBy(transitions, ({ source_id }) => source_id);
  const isFinal = (id: number) => !exits.has(id);
  const onlyPeople = (id: number) => exits.get(id)?.every(({ by }) => by === 'person') ?? false;
  const described: (Graph['states'][number] & FileLook)[] = states;
  const colours = stateColours(described.map((state) => ({ ...state, isFinal: isFinal(state.id) })));
  return new Map(
    described.map(({ id, label, title, outcome, decision }) => [
      id,
      {
        title: title ?? label,
        colour: colours.get(id) ?? '',
        final: isFinal(id) ? (outcome ?? 'neutral') : undefined,
        isDecision: Boolean(decision) || onlyPeople(id),
      },
    ]),
  );
}
