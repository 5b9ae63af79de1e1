import { FinalMark, StateSquare } from '../../../status/state-chip.tsx';
import type { StateLook } from './state-looks.ts';

/** The colour of a state, or the outcome of a final one. */
export const StateMark = ({ look: { final, colour } }: { look: StateLook }) =>
  final === undefined ? <StateSquare colour={colour} /> : <FinalMark outcome={final} colour={colour} />;
