/** Loaded into a process of ours beside its program: at each SIGUSR2 it prints the longest turn since the last. */
import { watchTurns } from './longest-turn.ts';

const { longestMs } = watchTurns();
process.on('SIGUSR2', () => process.stdout.write(`held up for ${longestMs().toFixed(1)} ms at most\n`));
