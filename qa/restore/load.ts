/** Clients that move experiments until they are stopped. Each move has a number. */
import { create, send } from '../faults/drive/requests.ts';

export interface Move {
  number: number;
  /** By the clock of this machine, on which the database runs too. */
  sentAt: number;
  /** The time of the acknowledgement, if there was one. */
  doneAt?: number;
  /** The status of the response, or 0 if there was none. */
  status?: number;
}

export interface Load {
  moves: Move[];
  stop: () => Promise<void>;
}

/** The number of acknowledged moves. */
export const countDone = ({ moves }: Load): number => moves.filter(({ doneAt }) => doneAt !== undefined).length;

const workflow = (receiver: string) => `label: restored
initial: ready
states:
  - {label: ready, transitions: [{destination: back, by: person}, {destination: call, by: person}]}
  - {label: back, transitions: [{destination: ready, by: person}]}
  - label: call
    callbacks: [{label: call, function: http, callback_arguments: {url: "${receiver}/"}, run_timeout: 2}]
    transitions: [{destination: ready, by: engine}]
`;

/** Returns the ids of the experiments. */
export async function createStudy(baseUrl: string, receiver: string, experiments: number): Promise<number[]> {
  const post = (path: string, body: object) => create(baseUrl, path, body);
  await post('/service/config/import-workflow', { workflow_definition: workflow(receiver) });
  await post('/cohorts', { label: 'one' });
  const subject = await post('/subjects', { label: 'one', cohort_label: 'one' });
  const ids: number[] = [];
  for (let number = 1; number <= experiments; number++) {
    ids.push(
      (await post('/experiments', { label: `${number}`, subject_id: subject.id, workflow_label: 'restored' })).id,
    );
  }
  return ids;
}

/** Moves every third experiment to `call`, from which the engine moves it back, and the others between two states. */
export function startLoad(baseUrl: string, experiments: readonly number[]): Load {
  const moves: Move[] = [];
  const stopping = new AbortController();
  const moveOne = async (id: number, state: string): Promise<boolean> => {
    const move: Move = { number: moves.length + 1, sentAt: Date.now() };
    moves.push(move);
    const body = { state_label: state, freetext: String(move.number) };
    const { outcome, status } = await send(baseUrl, { method: 'PUT', path: `/experiments/${id}/state`, body });
    move.status = status;
    if (outcome === 'ok') move.doneAt = Date.now();
    return outcome === 'ok';
  };
  const moveRepeatedly = async (id: number, index: number) => {
    const states = index % 3 === 0 ? ['call'] : ['back', 'ready'];
    for (let turn = 0; !stopping.signal.aborted;) {
      const isMoved = await moveOne(id, states[turn % states.length] ?? '');
      // A failed move to `call` is repeated until the engine has moved the experiment to `ready`. With two states, the
      // experiment may already be in the requested one, so the other one is next.
      if (isMoved || states.length > 1) turn++;
      if (!isMoved) await pause();
    }
  };
  const all = Promise.all(experiments.map(moveRepeatedly));
  return {
    moves,
    stop: async () => {
      stopping.abort();
      await all;
    },
  };
}

const pause = () => new Promise((resolve) => setTimeout(resolve, 50));
