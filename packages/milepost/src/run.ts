/**
 * The commands of the server beside those of the client. Exit codes of commands that use no server elsewhere: 0 success, 1 failure,
 * 2 usage error, 130 interrupted during shutdown. Secrets come from the environment, because every user of the machine can read
 * command-line flags.
 */
import { clientGroups, runCommandLine, withCompletion, type CommandGroup, type Program } from '@milepost/cli';
import type { Environment } from '@milepost/server';
import { version } from './version.ts';

const serverGroups: readonly CommandGroup[] = [
  {
    name: 'dev',
    summary: 'run everything on this machine',
    load: async () => (await import('./commands/dev.ts')).devCommands,
  },
  { name: 'serve', summary: 'run a server', load: async () => (await import('./commands/processes.ts')).serveCommands },
  { name: 'work', summary: 'run a worker', load: async () => (await import('./commands/processes.ts')).workCommands },
  {
    name: 'migrate',
    summary: 'create or upgrade the database tables',
    load: async () => (await import('./commands/processes.ts')).migrateCommands,
  },
  {
    name: 'export-history',
    summary: 'export the history to a file',
    load: async () => (await import('./commands/history.ts')).exportHistoryCommands,
  },
  {
    name: 'verify',
    summary: 'verify that the history is unchanged',
    load: async () => (await import('./commands/history.ts')).verifyCommands,
  },
  {
    name: 'insights',
    summary: 'count the figures of the page Insights again',
    load: async () => (await import('./commands/operator.ts')).insightsCommands,
  },
  {
    name: 'doctor',
    summary: 'check the installation',
    load: async () => (await import('./commands/operator.ts')).doctorCommands,
  },
  {
    name: 'admin',
    summary: 'help users who cannot sign in',
    load: async () => (await import('./commands/operator.ts')).adminCommands,
  },
];

const isForClients = (group: CommandGroup) => !serverGroups.includes(group);

export const program: Program = {
  version,
  examples: ['milepost dev --demo', 'milepost login http://localhost:8080', 'milepost experiment list state:visual_qc'],
  sections: [
    { title: 'Commands', groups: withCompletion([...clientGroups, ...serverGroups]).filter(isForClients) },
    { title: 'Commands for operators, on the server', groups: serverGroups },
  ],
};

export const run = (args: readonly string[], environment: Environment): Promise<void> =>
  runCommandLine(program, args, environment);
