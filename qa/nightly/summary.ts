/** The Markdown summary of a nightly run. */
import type { Finished, Progress } from './progress.ts';
import type { NightlyStage } from './stages.ts';

export function summaryOf(progress: Progress, stages: readonly NightlyStage[], machine: string): string {
  const results = stages.map((stage) => ({ stage, result: progress.finished[stage.name] }));
  const count = (verdict: Finished['verdict']) => results.filter(({ result }) => result?.verdict === verdict).length;
  const open = results.filter(({ result }) => !result).length;
  return [
    `# Nightly run of ${progress.started.slice(0, 10)}`,
    '',
    `Commit ${progress.commit}, seed ${progress.seed}, ${machine}.`,
    '',
    `${count('passed')} stages passed, ${count('failed')} failed, ${open} not finished.`,
    '',
    '| stage | result | seconds | what |',
    '|---|---|---:|---|',
    ...results.map(({ stage, result }) => rowOf(stage, result, progress)),
    ...results.flatMap(({ stage, result }) => (result ? sectionOf(stage, result) : [])),
    '',
  ].join('\n');
}

function rowOf({ name, what }: NightlyStage, result: Finished | undefined, { interrupted }: Progress): string {
  const verdict = result?.verdict ?? (interrupted === name ? 'interrupted' : 'not started');
  return `| ${name} | ${verdict} | ${result ? Math.round(result.seconds) : ''} | ${what} |`;
}

const sectionOf = ({ name }: NightlyStage, { verdict, lines }: Finished): string[] => [
  '',
  `## ${name}: ${verdict}`,
  '',
  '```',
  ...lines,
  '```',
];
