/**
 * `npm run fuzz:planted` tests the fuzzing. Each patch plants a bug in a copy of the tree, and a run must find this bug and
 * nothing else. A patch that does not apply is an error.
 */
import { execFile } from 'node:child_process';
import { withPlanted } from '../plant.ts';
import { schemathesis } from './environment.ts';

interface Planted {
  patch: string;
  /** The kind of finding, as Schemathesis names it. */
  kind: string;
  operation: RegExp;
}

const planted: Planted[] = [
  {
    patch: 'ids-as-strings.patch',
    kind: 'Response violates schema',
    operation: /\/(?:scans|scantypes|service\/config|overview)/,
  },
  { patch: 'unmapped-constraint.patch', kind: 'Server error', operation: /\/external_systems/ },
];

function runIn(cwd: string): Promise<string> {
  const { promise, resolve } = Promise.withResolvers<string>();
  const args = ['--conditions=source', 'qa/fuzz/run.ts', '--max-examples', '10'];
  execFile(process.execPath, args, { cwd, maxBuffer: 256 * 1024 * 1024 }, (_, out, error) => resolve(out + error));
  return promise;
}

/** The findings in the output of Schemathesis. */
function findingsIn(output: string): { kind: string; operation: string }[] {
  const sections = output.split(/\n_+ (?=[A-Z]+ \/)/).slice(1);
  return sections.flatMap((section) => {
    const [operation = ''] = section.split(/ _+\n/, 1);
    return [...section.matchAll(/^- ST\d+ (.*?)(?: \(.*\))?$/gm)].map(([, kind = '']) => ({ kind, operation }));
  });
}

schemathesis();
for (const { patch, kind, operation } of planted) {
  const output = await withPlanted(new URL(`./planted/${patch}`, import.meta.url), runIn);
  const findings = findingsIn(output);
  // One bug can have several kinds of findings: a valid request that gets 500 is also a rejected valid request.
  const isFound = findings.some((one) => one.kind === kind) && findings.every((one) => operation.test(one.operation));
  const where = [...new Set(findings.map((one) => one.operation))].join(', ');
  console.log(`${patch}: ${isFound ? `found as "${kind}" at ${where}` : 'NOT FOUND'}`);
  if (!isFound) {
    console.log(output);
    process.exitCode = 1;
  }
}
