/** Checks files as the import does, without a server. */
import type { Fault } from '@milepost/api';
import { checkConfiguration } from '../configuration/check-configuration.ts';
import { ConfigDefinition } from '../configuration/configuration-file.ts';
import { entriesOf, isObject, textOf } from '../file/entries.ts';
import type { Warning } from '../file/findings.ts';
import { parseYaml } from '../file/parse-yaml.ts';
import { readDefinitionFile } from '../file/read-definition-file.ts';
import { unknownSystems } from '../file/system-warnings.ts';

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

/** What is known about the installation that the file is for. */
export interface WorkflowContext {
  /** The names of its external systems. Undefined if they are not known. */
  systems?: readonly string[];
}

export function lintWorkflow(text: string, { systems }: WorkflowContext = {}): LintFinding[] {
  const reading = readDefinitionFile(text, '');
  const unknown = systems ? unknownSystems(reading.systems, systems) : [];
  return inFileOrder({ faults: reading.faults, warnings: [...reading.warnings, ...unknown] });
}

export interface ConfigurationContext {
  context: WorkflowContext;
  /** The faults of the configuration file. */
  findings: LintFinding[];
}

/** What a configuration file tells about an installation. Without its systems if they are missing because of a fault. */
export function contextOf(text: string): ConfigurationContext {
  const document = parseYaml(text, ConfigDefinition, '');
  const { faults } = checkConfiguration(text, document, '');
  const file = { pointer: '', value: isObject(document.value) ? document.value : {} };
  const isKnown = faults.length === 0 || Array.isArray(file.value['external_systems']);
  const systems = entriesOf(file, 'external_systems').map((entry) => textOf(entry, 'system_name'));
  return { context: isKnown ? { systems } : {}, findings: inFileOrder({ faults, warnings: [] }) };
}

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
