/** Stops experiments that the engine moves in a loop: at most 100 automatic moves within 10 minutes. */
import type { Db } from '../../database/connection.ts';
import { countAutomaticMoves } from '../../store/experiments/actions.ts';
import type { MoveInputs } from '../../store/experiments/move-inputs.ts';

const maxMoves = 100;

/** Most experiments have fewer actions in total, so their moves need no counting query. */
export const isLooping = async (db: Db, { id, action_sequence: sequence }: MoveInputs): Promise<boolean> =>
  sequence > maxMoves && (await countAutomaticMoves(db, id, sequence)) >= maxMoves;
