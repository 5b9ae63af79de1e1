/** More than 100 automatic moves of one experiment within 10 minutes are a circle that somebody should look at (rule 5). */
import type { Db } from '../database/connection.ts';
import { countAutomaticMoves } from '../store/actions.ts';
import type { MoveInputs } from '../store/move-inputs.ts';

const mostMoves = 100;

/** Most experiments never have so many actions in all: only the others are counted. */
export const isBraked = async (db: Db, { id, action_sequence: sequence }: MoveInputs): Promise<boolean> =>
  sequence > mostMoves && (await countAutomaticMoves(db, id, sequence)) >= mostMoves;
