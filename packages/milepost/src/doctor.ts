/** `milepost doctor`: one line for each thing that was looked at, and under it what to do. */
import { styleText } from 'node:util';
import { examine, type Environment, type Finding } from '@milepost/server';

const colours = { ok: 'green', warning: 'yellow', failed: 'red' } as const;

export async function doctor(environment: Environment): Promise<void> {
  const counts = { ok: 0, warning: 0, failed: 0 };
  for await (const finding of examine(environment)) {
    counts[finding.outcome] += 1;
    console.log(lines(finding));
  }
  console.error(summary(counts));
  if (counts.failed > 0) process.exitCode = 1;
}

function lines({ outcome, what, says, remedy }: Finding): string {
  // The stream is asked: without a terminal, or with NO_COLOR, the words stay plain.
  const word = styleText(colours[outcome], outcome.padEnd(8), { stream: process.stdout });
  const line = `${word}${what.padEnd(12)}${says}`;
  return remedy === undefined ? line : `${line}\n${' '.repeat(20)}${remedy}`;
}

const summary = ({ warning, failed }: Record<Finding['outcome'], number>): string =>
  failed + warning === 0 ? 'Everything is as it should be.' : `${failed} failed, ${warning} to look after.`;
