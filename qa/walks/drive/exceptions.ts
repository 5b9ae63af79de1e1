/**
 * Known differences between the engine and its rules. The walks exclude the affected commands until the engine is fixed. The
 * list should be empty.
 */
import type { Command } from './commands.ts';

interface Exception {
  what: string;
  excludes: (command: Command) => boolean;
}

export const exceptions: Exception[] = [];

export const isExcluded = (command: Command): boolean => exceptions.some(({ excludes }) => excludes(command));
