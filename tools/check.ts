/**
 * `npm run check`: checks the sources without running them. The linter limits the length of files and functions. The row types and
 * schema.sql need a database: a test and the gate check them.
 */
import { runStages, type Stage } from './run-stages.ts';

const stages: Stage[] = [
  { name: 'types', command: ['tsc', '-p', 'tsconfig.json'] },
  // Only pages and browser tests may use the names of a browser.
  { name: 'types of the pages', command: ['tsc', '-p', 'packages/web/tsconfig.json'] },
  { name: 'types of the browser tests', command: ['tsc', '-p', 'e2e/tsconfig.json'] },
  { name: 'lint', command: ['oxlint', '--deny-warnings'] },
  { name: 'format', command: ['oxfmt', '--check'] },
  { name: 'addresses', command: ['node', '--conditions=source', 'tools/print-addresses.ts', '--check'] },
  { name: 'openapi', command: ['node', '--conditions=source', 'tools/print-openapi.ts', '--check'] },
  { name: 'schema', command: ['node', '--conditions=source', 'tools/print-workflow-schema.ts', '--check'] },
  { name: 'command line', command: ['node', '--conditions=source', 'tools/print-command-line.ts', '--check'] },
  { name: 'texts', command: ['node', 'tools/forbidden-texts.ts'] },
  { name: 'phrases', command: ['node', 'tools/ruled-out-phrases.ts'] },
];

if (!(await runStages(stages))) process.exitCode = 1;
