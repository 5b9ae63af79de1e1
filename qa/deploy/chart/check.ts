/**
 * Checks the chart: lints it with each set of values, and validates what it renders for three versions of Kubernetes. Changes nothing
 * outside the cache.
 */
import { execFileSync, spawnSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { compareWithValues } from './compare-values.ts';
import { writeSchemas } from './schemas.ts';
import { chart, render } from './render.ts';
import { helm, kubeconform } from './tools.ts';

const versions = ['v1.34.4', 'v1.35.4', 'v1.36.3'];
const operator = 'github.com/prometheus-operator/prometheus-operator@v0.85.0';

const valueFiles = readdirSync(join(chart, 'ci')).map((file) => join(chart, 'ci', file));
const folders = versions.map((version) => [version, writeSchemas(version, operator)] as const);

for (const values of valueFiles) {
  console.log(`\n${values.split('/').at(-1)}`);
  execFileSync(helm(), ['lint', '--strict', '--quiet', chart, '--values', values], { stdio: 'inherit' });
  for (const [version, folder] of folders) {
    const rendered = render(['--kube-version', version, '--values', values]);
    const { valid, report } = validate(rendered, folder);
    console.log(`  ${version}: ${report}`);
    const faults = compareWithValues(rendered, readFileSync(values, 'utf8'));
    for (const fault of faults) console.error(`  ${fault}`);
    if (!valid || faults.length > 0) process.exitCode = 1;
    // Otherwise the schemas would accept anything.
    const misspelt = rendered.replace('readOnlyRootFilesystem', 'readOnlyRootFileSystem');
    if (validate(misspelt, folder).valid) throw new Error('A misspelt field was accepted.');
  }
}

function validate(objects: string, folder: string): { valid: boolean; report: string } {
  const location = join(folder, '{{ .ResourceKind }}{{ .KindSuffix }}.json');
  const { status, stdout, stderr } = spawnSync(
    kubeconform(),
    ['-strict', '-summary', '-schema-location', location, '-'],
    { input: objects, encoding: 'utf8' },
  );
  // It finds no fault in an empty document, either.
  const valid = status === 0 && /Valid: [1-9]/.test(stdout);
  return { valid, report: (stdout + stderr).trim() };
}
