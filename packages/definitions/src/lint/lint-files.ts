/** Checks files as the import does, without a server. */
import type { Fault } from '@milepost/api';
import { checkConfiguration } from '../configuration/check-configuration.ts';
import { ConfigDefinition } from '../configuration/configuration-file.ts';
import type { Warning } from '../file/findings.ts';
import { parseYaml } from '../file/parse-yaml.ts';
import { readDefinitionFile } from '../file/read-definition-file.ts';

export interface LintFinding {
  /** The import rejects a file with an error. */
  severity: 'error' | 'warning';
  /** Null if there are too many findings to list. */
  code: string | null;
  line: number | null;
  column: number | null;
  /** Without the position. */
  message: string;
}

export const lintWorkflow = (text: string): LintFinding[] => inFileOrder(readDefinitionFile(text, ''));

export const lintConfiguration = (text: string): LintFinding[] =>
  inFileOrder(checkConfiguration(text, parseYaml(text, ConfigDefinition, ''), ''));

const inFileOrder = ({ faults, warnings }: { faults: readonly Fault[]; warnings: readonly Warning[] }): LintFinding[] =>
  [...faults.map(ofFault), ...warnings.map((warning): LintFinding => ({ severity: 'warning', ...warning }))].toSorted(
    (a, b) => place(a) - place(b),
  );

const lineLength = 1_000_000;

/** Findings without a position are about the whole file, or about those that are not listed. */
const place = ({ line, column }: LintFinding) =>
  (line ?? Number.MAX_SAFE_INTEGER / lineLength) * lineLength + (column ?? 0);

const ofFault = ({ code, line, column, detail }: Fault): LintFinding => ({
  severity: 'error',
  code: code ?? null,
  line: line ?? null,
  column: column ?? null,
  message: detail.replace(/^Line \d+, column \d+: /, ''),
});
