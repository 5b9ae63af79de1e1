/** Contexts: the servers that the user has signed in to. */
import { defineCommand } from '../run/command.ts';
import { readContexts, writeContexts } from '../contexts/context-file.ts';
import { chosenContext } from '../contexts/connect.ts';
import { eachOf, outputOptions, printRows } from '../output/print.ts';
import { note } from '../output/write-output.ts';

const list = defineCommand({
  path: 'context list',
  summary: 'list the servers that you have signed in to',
  local: true,
  options: outputOptions,
  examples: ['milepost context list'],
  run: async ({ values, environment }) => {
    const { current, contexts } = await readContexts(environment);
    const rows = Object.entries(contexts).map(([name, { url, username, expires_at }]) => ({
      current: name === current ? '*' : '',
      name,
      url,
      username,
      expires_at,
    }));
    const columns = ['current', 'name', 'url', 'username', 'expires_at'];
    await printRows(eachOf(rows), values, { columns, plural: 'contexts', id: 'name' });
  },
});

const use = defineCommand({
  path: 'context use',
  summary: 'choose the server of the next commands',
  local: true,
  args: [{ name: 'name', about: 'name of the context' }],
  examples: ['milepost context use milepost.example.org'],
  run: async ({ args, environment }) => {
    await chosenContext(environment, args.name);
    await writeContexts(environment, { ...(await readContexts(environment)), current: args.name });
    note(`The current context is ${args.name}.`);
  },
});

export const contextCommands = [list, use];
