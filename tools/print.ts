/**
 * `npm run print`: prints the generated files that are committed: the addresses of operations, openapi.json, the JSON Schema of workflow files, the reference of the command line and the row
 * types. schema.sql needs PostgreSQL 15: see print-schema.ts.
 */
import { spawnSync } from 'node:child_process';
import { fromRoot } from './printed-file.ts';

for (const tool of [
  'tools/print-addresses.ts',
  'tools/print-openapi.ts',
  'tools/print-workflow-schema.ts',
  'tools/print-command-line.ts',
  'tools/print-tables.ts',
]) {
  const command = ['--conditions=source', fromRoot(tool), ...process.argv.slice(2)];
  const { status } = spawnSync(process.execPath, command, { stdio: 'inherit' });
  process.exitCode ||= status ?? 1;
}
