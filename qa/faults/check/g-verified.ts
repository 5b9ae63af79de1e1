/** (g) The chains and checkpoints of the history verify, and every experiment is in the last state of its chain. */
import type { Checker } from './evidence.ts';

export const verified: Checker = ({ history: { valid, messages } }) => (valid ? [] : messages);
