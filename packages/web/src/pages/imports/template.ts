/** A spreadsheet with all columns and two example lines. */
import { csvText } from './csv-text.ts';

interface Known {
  /** The names of the external systems. */
  systems: readonly string[];
  /** The protocols of the scan types. */
  protocols: readonly string[];
}

const example = (subject: string, number: string, { systems, protocols }: Known, scanner: string) => [
  subject,
  '1956-04-17',
  `${subject}-baseline`,
  '2025-11-03',
  // Without a state, the experiment starts in the start state of its workflow.
  '',
  protocols
    .filter((protocol) => !/[;,|]/.test(protocol))
    .slice(0, 2)
    .join(';'),
  ...systems.map((system) => `${system}_E${number}`),
  scanner,
];

export const templateText = (known: Known): string =>
  csvText([
    ['subject', 'date_of_birth', 'experiment', 'scan_date', 'state', 'scans', ...known.systems, 'var.scanner'],
    example('MC-0001', '00001', known, 'prisma-1'),
    example('MC-0002', '00002', known, 'skyra-2'),
  ]);
