/**
 * `npm run fuzz:planted`: is the fuzzing able to find anything? Each patch plants a fault in a copy of the tree, and a run
 * must find it and nothing else. A patch that no longer fits fails, and so does a run that ends in any other way.
 */
import { execFile } from 'node:child_process';
import { withPlanted } from '../plant.ts';
import { schemathesis } from './environment.ts';

interface Planted {
  patch: string;
  /** How Schemathesis calls what it finds. */
  kind: string;
  operation: RegExp;
}

const planted: Planted[] = [
  {
    patch: 'ids-as-text.patch',
    kind: 'Response violates schema',
    operation: /\/(?:scans|scantypes|service\/config|overview)/,
  },
  { patch: 'a-constraint-without-its-sentence.patch', kind: 'Server error', operation: /\/external_systems/ },
];

function runIn(cwd: string): Promise<string> {
  const { promise, resolve } = Promise.withResolvers<string>();
  const args = ['--conditions=source', 'qa/fuzz/run.ts', '--max-examples', '10'];
  execFile(process.execPath, args, { cwd, maxBuffer: 256 * 1024 * 1024 }, (_, out, error) => resolve(out + error));
  return promise;
}

/** The operations that a kind of finding is told of, by kind. */
function findingsIn(told: string): { kind: string; operation: string }[] {
  const sections = told.split(/\n_+ (?=[A-Z]+ \/)/).slice(1);
  return sections.flatMap((section) => {
    const [operation = ''] = section.split(/ _+\n/, 1);
    return [...section.matchAll(/^- ST\d+ (.*?)(?: \(.*\))?$/gm)].map(([, kind = '']) => ({ kind, operation }));
  });
}

schemathesis();
for (const { patch, kind, operation } of planted) {
  const told = await withPlanted(new URL(`./planted/${patch}`, import.meta.url), runIn);
  const findings = findingsIn(told);
  // A valid request that a fault answers with 500 is also one that was not accepted: one fault may be told in two ways.
  const isFound = findings.some((one) => one.kind === kind) && findings.every((one) => operation.test(one.operation));
  const where = [...new Set(findings.map((one) => one.operation))].join(', ');
  console.log(`${patch}: ${isFound ? `found as "${kind}" at ${where}` : 'NOT found'}`);
  if (!isFound) {
    console.log(told);
    process.exitCode = 1;
  }
}
