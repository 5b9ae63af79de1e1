/**
 * Where the engine is known to differ from its law: the walks go around it until the engine is put right. Each entry says
 * what is wrong, and which commands are left out because of it. An empty list is the aim.
 */
import type { Command } from './commands.ts';

interface Exception {
  what: string;
  leavesOut: (command: Command) => boolean;
}

export const exceptions: Exception[] = [
  {
    what: 'An execution whose initial delay runs loses its job when a person reports that it is queued.',
    leavesOut: ({ reports }) =>
      reports?.by === 'person' && reports.sent.status === 'queued' && reports.execution.status === 'created',
  },
  {
    what: 'The job for the next attempt stays when a person decides between two attempts (rule 14).',
    leavesOut: ({ reports }) =>
      reports?.by === 'person' && reports.execution.again && (reports.sent.status ?? 'running') !== 'running',
  },
];

export const isLeftOut = (command: Command): boolean => exceptions.some(({ leavesOut }) => leavesOut(command));
