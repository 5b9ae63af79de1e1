/**
 * `npm run fuzz -- --max-examples 100 --seed 42`: Schemathesis calls all operations of the served OpenAPI document, as an
 * administrator and as a user with few permissions, each with their own server and database.
 */
import { parseArgs } from 'node:util';
import { cloneDatabase, startTestPostgres } from '../../packages/server/testing/postgres-server.ts';
import { schemathesis } from './environment.ts';
import { fuzzAs } from './fuzz.ts';
import { admin, few } from './study.ts';

const { values } = parseArgs({
  options: {
    'max-examples': { type: 'string', default: '1000' },
    seed: { type: 'string', default: String(Math.floor(Math.random() * 2 ** 31)) },
  },
});
const run = { program: schemathesis(), examples: values['max-examples'], seed: values.seed };

const { server: postgres, end } = await startTestPostgres();
try {
  const fuzzed = await Promise.all(
    [admin, few].map(async (caller) => fuzzAs(caller, await cloneDatabase(postgres), run)),
  );
  for (const { output, passed } of fuzzed) if (!passed) console.log(output);
  for (const { line } of fuzzed) console.log(line);
  const cases = fuzzed.reduce((sum, one) => sum + one.cases, 0);
  const findings = fuzzed.reduce((sum, one) => sum + one.findings, 0);
  console.log(`cases: ${cases}, findings: ${findings}; seed: ${run.seed}, examples: ${run.examples}`);
  if (!fuzzed.every(({ passed }) => passed)) process.exitCode = 1;
} finally {
  await end();
}
