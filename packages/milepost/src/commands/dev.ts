import { defineCommand } from '@milepost/cli';
import { readPort } from './read-options.ts';

const dev = defineCommand({
  path: 'dev',
  summary: 'run everything on this machine, with an embedded PostgreSQL',
  description:
    'Runs PostgreSQL, a server and a worker on this machine until Ctrl-C. The data is kept for the next start.',
  local: true,
  isService: true,
  options: {
    demo: { about: 'load an example study and simulate its activity' },
    data: { takes: 'FOLDER', about: 'data folder (default: milepost-data, or milepost-demo with --demo)' },
    port: { takes: 'NUMBER', about: 'server port (overrides MILEPOST_PORT)' },
    'no-open': { about: 'do not open a browser' },
  },
  examples: ['milepost dev --demo', 'milepost dev --port 8090', 'milepost dev --data ~/studies/pilot --no-open'],
  run: async ({ values, environment }) => {
    const { demo, port, data = demo ? 'milepost-demo' : 'milepost-data' } = values;
    const options = { demo, data, open: !values['no-open'], ...(port !== undefined && { port: readPort(port) }) };
    const { processes } = await import('../processes.ts');
    processes.dev(options, environment);
  },
});

export const devCommands = [dev];
