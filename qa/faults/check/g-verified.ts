/** (g) The chains and checkpoints of the history verify, and every experiment is in the state that its chain ends with. */
import type { Checker } from './evidence.ts';

export const verified: Checker = ({ history: { sound, says } }) => (sound ? [] : says);
