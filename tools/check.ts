/**
 * `npm run check`: everything that can be said of the sources without running them. The lengths of files and functions
 * are rules of the linter. The row types are held by a test, as they take a database; schema.sql by the CI, as it takes
 * PostgreSQL 15.
 */
import { runStages, type Stage } from './run-stages.ts';

const stages: Stage[] = [
  { name: 'types', command: ['tsc', '-p', 'tsconfig.json'] },
  // Pages, and what tests do inside them, run in browsers: they see the names of a browser, which no other source may use.
  { name: 'types of the pages', command: ['tsc', '-p', 'packages/web/tsconfig.json'] },
  { name: 'types of the browser tests', command: ['tsc', '-p', 'e2e/tsconfig.json'] },
  { name: 'lint', command: ['oxlint', '--deny-warnings'] },
  { name: 'format', command: ['oxfmt', '--check'] },
  { name: 'openapi', command: ['node', '--conditions=source', 'tools/print-openapi.ts', '--check'] },
  { name: 'schema', command: ['node', '--conditions=source', 'tools/print-workflow-schema.ts', '--check'] },
  { name: 'texts', command: ['node', 'tools/forbidden-texts.ts'] },
];

if (!(await runStages(stages))) process.exitCode = 1;
