/** `serve`, `work` and `migrate`. */
import { defineCommand } from '@milepost/cli';

const load = async () => (await import('../processes.ts')).processes;

const serve = defineCommand({
  path: 'serve',
  summary: 'run a server',
  description: 'Serves the API and the web pages until SIGTERM or Ctrl-C. Run `milepost migrate` first.',
  local: true,
  isService: true,
  examples: ['DATABASE_URL=postgresql://... milepost serve'],
  run: async ({ environment }) => (await load()).serve(environment),
});

const work = defineCommand({
  path: 'work',
  summary: 'run a worker',
  description: 'Runs callbacks until SIGTERM or Ctrl-C. You can run any number of workers, on any machine.',
  local: true,
  isService: true,
  examples: ['DATABASE_URL=postgresql://... milepost work'],
  run: async ({ environment }) => (await load()).work(environment),
});

const migrate = defineCommand({
  path: 'migrate',
  summary: 'create or upgrade the database tables',
  description:
    'Creates or upgrades the tables as the role in MILEPOST_OWNER_DATABASE_URL, and grants the role in DATABASE_URL its ' +
    'permissions. You cannot undo a migration.',
  local: true,
  examples: ['DATABASE_URL=postgresql://... MILEPOST_OWNER_DATABASE_URL=postgresql://... milepost migrate'],
  run: async ({ environment }) => (await load()).migrate(environment),
});

export const serveCommands = [serve];
export const workCommands = [work];
export const migrateCommands = [migrate];
