/** `milepost doctor`: prints one line for each check, and below a failed check what to do, or all as one JSON document. */
import { styleText } from 'node:util';
import { examine, type Environment, type Finding } from '@milepost/server';

const colours = { ok: 'green', warning: 'yellow', failed: 'red' } as const;

export interface DoctorOptions {
  json?: boolean;
}

export async function doctor({ json = false }: DoctorOptions, environment: Environment): Promise<void> {
  const checks: Finding[] = [];
  for await (const finding of examine(environment)) {
    checks.push(finding);
    if (!json) console.log(format(finding));
  }
  const counts = countOutcomes(checks);
  if (json) console.log(JSON.stringify({ ...counts, checks }, null, 2));
  else console.error(summary(counts));
  if (counts.failed > 0) process.exitCode = 1;
}

function countOutcomes(findings: readonly Finding[]): Record<Finding['outcome'], number> {
  const counts = { ok: 0, warning: 0, failed: 0 };
  for (const { outcome } of findings) counts[outcome] += 1;
  return counts;
}

function format({ outcome, check, message, remedy }: Finding): string {
  // With `stream`, styleText uses no colours without a terminal or with NO_COLOR.
  const word = styleText(colours[outcome], outcome.padEnd(8), { stream: process.stdout });
  const line = `${word}${check.padEnd(12)}${message}`;
  return remedy === undefined ? line : `${line}\n${' '.repeat(20)}${remedy}`;
}

const summary = ({ warning, failed }: Record<Finding['outcome'], number>): string =>
  failed + warning === 0 ? 'All checks passed.' : `Failed: ${failed}. Warnings: ${warning}.`;
