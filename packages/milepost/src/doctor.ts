/** `milepost doctor`: prints one line for each check, and below a failed check what to do. */
import { styleText } from 'node:util';
import { examine, type Environment, type Finding } from '@milepost/server';

const colours = { ok: 'green', warning: 'yellow', failed: 'red' } as const;

export async function doctor(environment: Environment): Promise<void> {
  const counts = { ok: 0, warning: 0, failed: 0 };
  for await (const finding of examine(environment)) {
    counts[finding.outcome] += 1;
    console.log(format(finding));
  }
  console.error(summary(counts));
  if (counts.failed > 0) process.exitCode = 1;
}

function format({ outcome, check, message, remedy }: Finding): string {
  // With `stream`, styleText uses no colours without a terminal or with NO_COLOR.
  const word = styleText(colours[outcome], outcome.padEnd(8), { stream: process.stdout });
  const line = `${word}${check.padEnd(12)}${message}`;
  return remedy === undefined ? line : `${line}\n${' '.repeat(20)}${remedy}`;
}

const summary = ({ warning, failed }: Record<Finding['outcome'], number>): string =>
  failed + warning === 0 ? 'All checks passed.' : `Failed: ${failed}. Warnings: ${warning}.`;
