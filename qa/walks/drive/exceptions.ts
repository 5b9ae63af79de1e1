/**
 * Where the engine is known to differ from its law: the walks go around it until the engine is put right. Each entry says
 * what is wrong, and which commands are left out because of it. An empty list is the aim.
 */
import type { Command } from './commands.ts';

interface Exception {
  what: string;
  leavesOut: (command: Command) => boolean;
}

export const exceptions: Exception[] = [];

export const isLeftOut = (command: Command): boolean => exceptions.some(({ leavesOut }) => leavesOut(command));
