/** `doctor`, `insights rebuild` and `admin reset-password`. */
import { defineCommand } from '@milepost/cli';

const load = async () => (await import('../processes.ts')).processes;

const doctor = defineCommand({
  path: 'doctor',
  summary: 'check the installation',
  description:
    'Checks Node, the settings, the database, the clock, the migrations, the database role, the queue, the workers, the ' +
    'checkpoints, and that the public URL is this installation. Changes nothing. Exits with code 1 if a check fails.',
  local: true,
  options: { json: { about: 'print one JSON document, for other programs' } },
  examples: ['DATABASE_URL=postgresql://... milepost doctor', 'DATABASE_URL=postgresql://... milepost doctor --json'],
  run: async ({ values, environment }) => (await load()).doctor({ json: values.json }, environment),
});

const rebuild = defineCommand({
  path: 'insights rebuild',
  summary: 'count the figures of the page Insights again',
  description:
    'Deletes the figures of the page Insights, so that workers count them again from the actions. Changes nothing else.',
  local: true,
  examples: ['DATABASE_URL=postgresql://... milepost insights rebuild'],
  run: async ({ environment }) => (await load()).rebuildInsights(environment),
});

const resetPassword = defineCommand({
  path: 'admin reset-password',
  summary: 'set a new password for a user who cannot sign in',
  description:
    'Generates a password and prints it, or reads one from standard input. It ends the sessions of the user, and the audit log shows the change. ' +
    'Run it on the server, with the same settings.',
  local: true,
  args: [{ name: 'user', about: 'username or e-mail address' }],
  options: { 'password-stdin': { about: 'read the new password from standard input' } },
  examples: [
    'DATABASE_URL=postgresql://... milepost admin reset-password admin',
    'DATABASE_URL=postgresql://... milepost admin reset-password anna@example.org --password-stdin < new-password',
  ],
  run: async ({ args, values, environment }) =>
    (await load()).resetPasswordOf(args.user, { passwordStdin: values['password-stdin'] }, environment),
});

export const doctorCommands = [doctor];
export const insightsCommands = [rebuild];
export const adminCommands = [resetPassword];
