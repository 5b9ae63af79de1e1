/** The commands that need only a server elsewhere. Each group is loaded when it is used, so that the command starts fast. */
import type { CommandGroup } from './run/command.ts';

export const clientGroups: readonly CommandGroup[] = [
  {
    name: 'login',
    summary: 'sign in to a server',
    load: async () => (await import('./commands/sign-in.ts')).loginCommands,
  },
  { name: 'logout', summary: 'sign out', load: async () => (await import('./commands/sign-in.ts')).logoutCommands },
  {
    name: 'whoami',
    summary: 'show your account',
    load: async () => (await import('./commands/sign-in.ts')).whoamiCommands,
  },
  {
    name: 'context',
    summary: 'choose between servers',
    load: async () => (await import('./commands/context.ts')).contextCommands,
  },
  {
    name: 'cohort',
    summary: 'list and change cohorts',
    load: async () => (await import('./commands/cohort.ts')).cohortCommands,
  },
  {
    name: 'subject',
    summary: 'list and change subjects',
    load: async () => (await import('./commands/subject.ts')).subjectCommands,
  },
  {
    name: 'experiment',
    summary: 'list, move and retry experiments',
    load: async () => (await import('./commands/experiment.ts')).experimentCommands,
  },
  {
    name: 'scan',
    summary: 'list and record scans',
    load: async () => (await import('./commands/scan.ts')).scanCommands,
  },
  {
    name: 'workflow',
    summary: 'check, plan, apply and export workflows',
    load: async () => (await import('./commands/workflow.ts')).workflowCommands,
  },
  {
    name: 'run',
    summary: 'list runs and read their logs',
    load: async () => (await import('./commands/run.ts')).runCommands,
  },
  {
    name: 'incident',
    summary: 'list problems',
    load: async () => (await import('./commands/incident.ts')).incidentCommands,
  },
  { name: 'events', summary: 'follow events', load: async () => (await import('./commands/events.ts')).eventsCommands },
  {
    name: 'report',
    summary: 'show durations',
    load: async () => (await import('./commands/report.ts')).reportCommands,
  },
  {
    name: 'api',
    summary: 'send any request to the API',
    load: async () => (await import('./commands/api.ts')).apiCommands,
  },
  {
    name: 'bulk',
    summary: 'change many experiments',
    load: async () => (await import('./commands/bulk.ts')).bulkCommands,
  },
  {
    name: 'import',
    summary: 'import a CSV file',
    load: async () => (await import('./commands/import.ts')).importCommands,
  },
  { name: 'view', summary: 'list and save views', load: async () => (await import('./commands/view.ts')).viewCommands },
  {
    name: 'token',
    summary: 'create and revoke API tokens',
    load: async () => (await import('./commands/token.ts')).tokenCommands,
  },
  {
    name: 'user',
    summary: 'list and change users',
    load: async () => (await import('./commands/user.ts')).userCommands,
  },
  {
    name: 'role',
    summary: 'assign and remove roles',
    load: async () => (await import('./commands/role.ts')).roleCommands,
  },
  {
    name: 'config',
    summary: 'check and apply configuration files',
    load: async () => (await import('./commands/config.ts')).configCommands,
  },
  {
    name: 'worker',
    summary: 'run a program for each run of a queue',
    load: async () => (await import('./commands/worker.ts')).workerCommands,
  },
];

/** Completes the commands of all groups of a program. */
export function withCompletion(groups: readonly CommandGroup[]): readonly CommandGroup[] {
  const completion: CommandGroup = {
    name: 'completion',
    summary: 'print a script that completes commands',
    load: async () => (await import('./commands/completion.ts')).completionCommands([...groups, completion]),
  };
  return [...groups, completion];
}
