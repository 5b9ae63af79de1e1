/** For the package with the server, which adds its own commands. */
export { clientGroups, withCompletion } from './groups.ts';
export { defineCommand, type Command, type CommandGroup, type Environment } from './run/command.ts';
export { usage } from './run/failure.ts';
export { runCommandLine, type Program } from './run/run-command-line.ts';
export { optionAbout, optionLabel, usageOf } from './run/help.ts';
