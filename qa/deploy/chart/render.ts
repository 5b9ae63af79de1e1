/** What Helm renders, as one text of YAML documents. */
import { execFileSync } from 'node:child_process';
import { fromRoot } from '../../../tools/printed-file.ts';
import { helm } from './tools.ts';

export const chart = fromRoot('deploy/helm/milepost');

export function render(options: readonly string[]): string {
  const words = ['template', 'milepost', chart, '--namespace', 'milepost', ...options];
  // The Prometheus Operator adds this API.
  return execFileSync(helm(), [...words, '--api-versions', 'monitoring.coreos.com/v1'], { encoding: 'utf8' });
}
