/** The table methods.tsv: each call of the client with its outcome on Study Governor 8.1, its outcome here, and a note. */

export interface Row {
  owner: string;
  call: string;
  studyGovernor: string;
  here: string;
  note: string;
}

export type Outcome = Pick<Row, 'owner' | 'call'> & { outcome: string };

const header = 'class\tcall\ton Study Governor 8.1\there\tnote';
const rowsOf = (text: string) => text.trimEnd().split('\n');

export const parseTable = (text: string): Row[] =>
  rowsOf(text)
    .slice(1)
    .map((line) => {
      const [owner = '', call = '', studyGovernor = '', here = '', note = ''] = line.split('\t');
      return { owner, call, studyGovernor, here, note };
    });

export const printTable = (rows: readonly Row[]): string =>
  [
    header,
    ...rows.map(({ owner, call, studyGovernor, here, note }) => [owner, call, studyGovernor, here, note].join('\t')),
  ]
    .map((line) => `${line}\n`)
    .join('');

/** The lines that call_methods.py prints. */
export const parseOutcomes = (text: string): Outcome[] =>
  rowsOf(text).map((line) => {
    const [owner = '', call = '', outcome = ''] = line.split('\t');
    return { owner, call, outcome };
  });

/** Whether the call fails on either server and the table does not say why. */
export const needsNote = ({ studyGovernor, here, note }: Row): boolean =>
  note === '' && (here !== 'works' || studyGovernor !== 'works');

type Column = 'studyGovernor' | 'here';

/** The table with one column replaced. The order is that of the calls, and notes stay. */
export const withColumn = (rows: readonly Row[], column: Column, outcomes: readonly Outcome[]): Row[] =>
  outcomes.map(({ owner, call, outcome }) => {
    const empty: Row = { owner, call, studyGovernor: '', here: '', note: '' };
    return { ...(find(rows, owner, call) ?? empty), [column]: outcome };
  });

/** One line for each difference between the column "here" and the outcomes, and for each failure on either server without a note. */
export function differences(rows: readonly Row[], outcomes: readonly Outcome[]): string[] {
  const removed = rows.filter(({ owner, call }) => !find(outcomes, owner, call));
  return [
    ...outcomes.flatMap((outcome) => differenceOf(find(rows, outcome.owner, outcome.call), outcome)),
    ...removed.map(({ owner, call }) => `${owner} ${call}: the table has a row, but there is no such call.`),
  ];
}

function differenceOf(row: Row | undefined, { owner, call, outcome }: Outcome): string[] {
  if (!row) return [`${owner} ${call}: ${outcome}, and the table has no row.`];
  if (row.here !== outcome) return [`${owner} ${call}: ${outcome}, and the table says: ${row.here}`];
  return needsNote(row) ? [`${owner} ${call}: fails, and the table has no note.`] : [];
}

const find = <T extends { owner: string; call: string }>(rows: readonly T[], owner: string, call: string) =>
  rows.find((row) => row.owner === owner && row.call === call);
