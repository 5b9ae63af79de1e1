/**
 * Imports of spreadsheets: what lines create, which faults they have, and what importing again changes.
 *
 * @module-tag sql
 */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createImportWorld, type ImportWorld } from '../../../testing/import-world.ts';
import { startTestServer, type TestServer } from '../../../testing/server.ts';

let server: TestServer;
let world: ImportWorld;
beforeAll(async () => {
  server = await startTestServer();
  world = await createImportWorld(server);
  await server.call('createExternalSystem', { body: { system_name: 'XNAT', url: 'https://xnat.example.org/' } });
  await server.sql(`insert into scantypes (modality, protocol) values ('MR', 'T1'), ('MR', 'FLAIR')`);
});
afterAll(() => server.stop());

const file = `subject;date_of_birth;visit;scan_date;state;scans;xnat;xnat subject;var.scanner;ward
A-1;1950-03-01;baseline;02.11.2025;;T1, FLAIR;X1;S1;prisma;N2
A-1;;month-12;2025-11-03 08:30;review;T1;X2;S1;7;N2
A-2;;baseline;;In review;;;;true;
A-3;;;;;;;;;
`;

interface Stored {
  subject: string;
  date_of_birth: string | null;
  label: string | null;
  scandate: string | null;
  state: string | null;
  id: string | null;
  subject_id: string | null;
  scans: string | null;
  variables: object | null;
  action: string | null;
  runs: number;
}

const stored = (cohortId: number) =>
  server.sql<Stored>(
    `select subjects.label as subject, date_of_birth::text, experiments.label, scandate::text, states.label as state,
       (select external_id from external_experiment_links where experiment_id = experiments.id) as id,
       (select external_id from external_subject_links where subject_id = subjects.id) as subject_id,
       (select string_agg(protocol, ' ' order by protocol) from scans join scantypes on scantypes.id = scantype_id
         where experiment_id = experiments.id) as scans,
       (select jsonb_object_agg(name, value) from experiment_variables where experiment_id = experiments.id) as variables,
       (select return_value from actions where experiment_id = experiments.id and freetext like 'Import %') as action,
       (select count(*)::int from callback_executions join actions on actions.id = action_id
         where experiment_id = experiments.id) as runs
     from subjects left join experiments on subject_id = subjects.id left join states on states.id = state_id
     where subjects.cohort_id = $1 and subjects.label like 'A-%' order by subjects.label, experiments.label`,
    [cohortId],
  );

const placed = 'Corrected without callbacks';
const imported: Partial<Stored>[] = [
  {
    subject: 'A-1',
    date_of_birth: '1950-03-01',
    label: 'A-1-baseline',
    scandate: '2025-11-02 00:00:00',
    state: 'start',
    id: 'X1',
    subject_id: 'S1',
    scans: 'FLAIR T1',
    variables: { scanner: 'prisma' },
    action: '',
    runs: 1,
  },
  {
    label: 'A-1-month-12',
    scandate: '2025-11-03 08:30:00',
    state: 'review',
    id: 'X2',
    scans: 'T1',
    variables: { scanner: 7 },
    action: placed,
    runs: 0,
  },
  { subject: 'A-2', label: 'A-2-baseline', state: 'review', variables: { scanner: true }, action: placed, runs: 0 },
  { subject: 'A-3', label: null },
];

describe('a spreadsheet', () => {
  it('can have variables in 90 columns', async () => {
    const cohortId = await world.cohort();
    const names = Array.from({ length: 90 }, (_, n) => `var.v${n}`);
    const lines = Array.from({ length: 500 }, (_, n) => [`A-${n}`, 'e1', ...names.map(() => String(n))].join());
    const { done } = await world.import(cohortId, [['subject', 'experiment', ...names].join(), ...lines].join('\n'));
    expect(done).toBe(500);
    const rows = await server.sql(
      'select from experiment_variables join experiments on id = experiment_id where cohort_id = $1',
      [cohortId],
    );
    expect(rows).toHaveLength(45_000);
  });

  it('creates subjects, experiments, ids, scans, variables and states, and changes nothing when it is imported again', async () => {
    const cohortId = await world.cohort();
    const checked = await world.check(cohortId, file);
    expect(await world.faults(checked.id)).toEqual([]);
    expect(checked).toMatchObject({
      status: 'checked',
      delimiter: ';',
      lines: 4,
      ready: 4,
      new_subjects: 3,
      new_experiments: 3,
    });
    expect(await stored(cohortId)).toEqual([]);
    await server.call('applyImport', { params: { id: checked.id } });
    await world.work();
    expect(await stored(cohortId)).toMatchObject(imported);
    expect(await world.read(checked.id)).toMatchObject({
      status: 'finished',
      done: 4,
      ready: 0,
      new_subjects: 3,
      new_experiments: 3,
    });
    const [before] = await server.sql<{ id: number }>('select max(id) as id from history');
    const again = await world.import(cohortId, file);
    expect(again).toMatchObject({ status: 'finished', unchanged: 4, done: 0, new_subjects: 0, faulty: 0 });
    expect(await stored(cohortId)).toMatchObject(imported);
    const [row] = await server.sql<{ kinds: string[] }>(
      `select array_agg(distinct operation) as kinds from history where id > $1`,
      [before?.id],
    );
    expect(row?.kinds.toSorted()).toEqual(['applyImport', 'createImport']);
  });

  it('fills in what was missing, but overwrites nothing', async () => {
    const cohortId = await world.cohort();
    await world.import(cohortId, 'subject,experiment\nA-1,e1\nA-2,e1\n');
    const { id } = await world.check(
      cohortId,
      'subject,date_of_birth,experiment,scan_date,xnat,state,var.v\nA-1,1950-01-01,e1,2025-01-01,N1,done,1\nA-2,,e1,,N2,,\n',
    );
    await server.call('applyImport', { params: { id } });
    await world.work();
    expect(await stored(cohortId)).toMatchObject([
      { date_of_birth: '1950-01-01', scandate: '2025-01-01 00:00:00', id: 'N1', state: 'start', variables: { v: 1 } },
      { id: 'N2' },
    ]);
    const other = await world.check(
      cohortId,
      'subject,date_of_birth,experiment,scan_date,xnat,var.v\nA-1,1951-01-01,e1,2025-01-02,N3,2\nA-2,,e2,,N1,\n',
    );
    const rest = 'An import does not overwrite. Change it there, or leave the cell empty.';
    expect(await world.faults(other.id)).toEqual([
      [2, 'date_of_birth', `The date of birth is already 1950-01-01. ${rest}`],
      [2, 'scan_date', `The scan date is already 2025-01-01. ${rest}`],
      [2, 'xnat', `The ID in XNAT is already N1. ${rest}`],
      [2, 'var.v', `The variable v is already 1. ${rest}`],
      [3, 'xnat', '`N1` in XNAT already belongs to experiment `e1` of subject `A-1`. Correct one of the two IDs.'],
    ]);
    await world.import(cohortId, 'subject,xnat subject\nA-1,S1\n');
    const subjects = await world.check(cohortId, 'subject,xnat subject\nA-2,S1\n');
    expect(await world.faults(subjects.id)).toEqual([
      [2, 'xnat subject', '`S1` in XNAT already belongs to subject `A-1`. Correct one of the two IDs.'],
    ]);
  });

  it('has all faults of its lines, by line and column', async () => {
    const cohortId = await world.cohort();
    const { id, ...checked } = await world.check(
      cohortId,
      [
        'subject,date_of_birth,experiment,scan_date,state,scans,xnat',
        'A-1,31.02.1950,e1,2199-01-01,reviw,T2,X9',
        ',,e2,,,,',
        'A-2,,,2025-01-01,,,',
        '',
        'A-3,,e1,,,,X9,too much',
        'A-4,,e1,,,,',
        'A-4,,e1,,,,',
        'A-5,1950-01-01,e1,,,,',
        'A-5,1950-01-02,e2,,,,',
        `${'x'.repeat(256)},,e1,,,,`,
      ].join('\r\n'),
    );
    expect(await world.faults(id)).toEqual([
      [2, 'date_of_birth', 'Not a date. Use YYYY-MM-DD or DD.MM.YYYY with a real day.'],
      [2, 'scan_date', expect.stringMatching(/^In the future\. Today is \d{4}-\d\d-\d\d\.$/)],
      [2, 'state', `No state "reviw" in workflow "${world.workflow_label}". Did you mean "review"?`],
      [2, 'scans', 'No scan type has the protocol "T2". Did you mean "T1"?'],
      [3, 'subject', 'A subject label is required.'],
      [4, 'experiment', 'An experiment label is required for this line.'],
      [6, null, 'The line has 8 values, but there are 7 columns.'],
      [6, 'xnat', 'Same ID as line 2.'],
      [8, 'experiment', 'Same subject and experiment as line 7. Keep one of the two.'],
      [10, 'date_of_birth', 'Line 9 has another date of birth for this subject.'],
      [11, 'subject', 'A label has at most 255 characters.'],
    ]);
    expect(checked).toMatchObject({ lines: 9, faulty: 7, ready: 2, new_subjects: 2, new_experiments: 2, faults: 11 });
    await server.call('applyImport', { params: { id } });
    await world.work();
    expect((await stored(cohortId)).map(({ subject }) => subject)).toEqual(['A-4', 'A-5']);
  });
});
