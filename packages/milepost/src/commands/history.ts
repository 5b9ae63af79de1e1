/** `export-history` and `verify`. */
import { defineCommand } from '@milepost/cli';
import { readCheckpoint } from './read-options.ts';

const load = async () => (await import('../processes.ts')).processes;

const exportHistory = defineCommand({
  path: 'export-history',
  summary: 'export the history to a file',
  description: 'Exports the history with its checkpoints, personal values and keys to a new JSON Lines file.',
  local: true,
  args: [{ name: 'file', about: 'file to create, which must not exist' }],
  examples: ['DATABASE_URL=postgresql://... milepost export-history history.ndjson'],
  run: async ({ args, environment }) => (await load()).exportHistory(args.file, environment),
});

const verify = defineCommand({
  path: 'verify',
  summary: 'verify that the history is unchanged',
  description:
    'Verifies an exported history with the public key, or the history in the database if you give no file. Reports the ' +
    'first entry that was changed. Exits with code 1 if the verification fails, and with 2 if the history cannot be read.',
  local: true,
  args: [{ name: 'file', about: 'exported history', optional: true }],
  options: {
    'public-key': {
      takes: 'FILE',
      repeated: true,
      required: true,
      about: 'PEM file with a public key that verifies checkpoints',
    },
    checkpoint: { takes: 'NUMBER:HASH', repeated: true, about: 'saved checkpoint that must still exist' },
    'allow-unsigned': { about: 'accept a history without any checkpoint' },
  },
  examples: [
    'milepost verify history.ndjson --public-key checkpoint-key.pub.pem',
    'milepost verify history.ndjson --public-key old.pub.pem --public-key new.pub.pem --checkpoint 1204:5e1f...',
  ],
  run: async ({ args, values, environment }) => {
    const known = {
      publicKeys: [...values['public-key']],
      checkpoints: values.checkpoint.map(readCheckpoint),
      allowUnsigned: values['allow-unsigned'],
    };
    await (await load()).verify(args.file, known, environment);
  },
});

export const exportHistoryCommands = [exportHistory];
export const verifyCommands = [verify];
