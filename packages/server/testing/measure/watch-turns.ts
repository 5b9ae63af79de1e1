/** Loaded into a tested process with `--import`. At each SIGUSR2 it prints the longest turn of the event loop since the last. */
import { watchTurns } from './longest-turn.ts';

const { longestMs } = watchTurns();
process.on('SIGUSR2', () => process.stdout.write(`longest turn: ${longestMs().toFixed(1)} ms\n`));
