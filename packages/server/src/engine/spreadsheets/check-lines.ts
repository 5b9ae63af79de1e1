/** The dry run of an import: reads the next lines, plans them without writing, and stores their results and faults. */
import { createHash } from 'node:crypto';
import type { Tx } from '../../database/connection.ts';
import {
  claimKeys,
  insertFaults,
  listNextLines,
  removeOfCheck,
  saveOutcomes,
  type LineKey,
  type LineOutcome,
} from '../../store/spreadsheets/import-lines.ts';
import { updateImport, type DueImport } from '../../store/spreadsheets/imports.ts';
import { changesSomething, createsExperiment, createsSubject, type LinePlan } from './plan-line.ts';
import { planLines, type ImportContext } from './plan-lines.ts';
import type { LineFault, WantedLine } from './read-line.ts';

export const setSize = 500;

export async function checkLines(context: ImportContext, work: DueImport, limit: number): Promise<void> {
  const { db: tx } = context;
  const lines = await listNextLines(tx, { importId: work.id, after: work.position, limit });
  const plans = await planLines(context, work, lines, { locks: false });
  const first = await compareLines(context, work, plans);
  await saveChecked(context, work, { plans, first });
}

/** Removes the faults and keys of an earlier check, some with each set. */
export async function clearCheck(tx: Tx, { id }: DueImport): Promise<void> {
  const wereSome = await removeOfCheck(tx, id, { faults: true });
  await updateImport(tx, id, { cleared: !wereSome });
}

/** Only a check needs the keys. */
export async function endCheck(tx: Tx, { id }: DueImport): Promise<void> {
  const wereSome = await removeOfCheck(tx, id, { faults: false });
  await updateImport(tx, id, wereSome ? {} : { status: 'checked', position: 0 });
}

/** Whether a line is the first of its subject. */
type IsFirst = ReadonlySet<number>;

async function saveChecked(
  { db: tx, model }: ImportContext,
  work: DueImport,
  { plans, first }: { plans: readonly LinePlan[]; first: IsFirst },
): Promise<void> {
  const outcomes = plans.map((plan) => outcomeOf(plan, model?.initial.label ?? null, first));
  const faults = plans.flatMap(({ wanted: { line }, faults: found }) =>
    found.toSorted((a, b) => a.place - b.place).map((fault) => ({ line, ...fault })),
  );
  await saveOutcomes(tx, work.id, outcomes);
  await insertFaults(tx, work.id, faults);
  const count = (is: (outcome: LineOutcome) => boolean) => outcomes.filter(is).length;
  await updateImport(tx, work.id, {
    position: plans.at(-1)?.wanted.line ?? work.position,
    ready: work.ready + count(({ result }) => result === 'ready'),
    unchanged: work.unchanged + count(({ result }) => result === 'unchanged'),
    faulty: work.faulty + count(({ result }) => result === 'faulty'),
    new_subjects: work.new_subjects + count(({ newSubject }) => newSubject),
    new_experiments: work.new_experiments + count(({ newExperiment }) => newExperiment),
    column_faults: countFaults(work.column_faults, faults),
  });
}

export const countFaults = (before: readonly number[], faults: readonly LineFault[]): number[] =>
  before.map((count, place) => count + faults.filter((fault) => fault.place === place).length);

function outcomeOf(plan: LinePlan, initial: string | null, first: IsFirst): LineOutcome {
  const { wanted, experiment, faults } = plan;
  const isReady = faults.length === 0 && changesSomething(plan);
  return {
    line: wanted.line,
    result: faults.length > 0 ? 'faulty' : isReady ? 'ready' : 'unchanged',
    subject: wanted.subject || null,
    experiment: wanted.experiment,
    state: wanted.experiment === null ? null : (experiment?.state ?? plan.state?.label ?? initial),
    newSubject: isReady && createsSubject(plan) && first.has(wanted.line),
    newExperiment: isReady && createsExperiment(plan),
  };
}

interface Claim extends LineKey {
  plan: LinePlan;
  place: number;
  /** What is wrong if an earlier line has the key with another value. */
  conflict: (line: number) => string;
}

const hash = (...parts: readonly string[]) => createHash('sha256').update(JSON.stringify(parts)).digest();

/** Adds the faults of lines that contradict or repeat an earlier one. Returns the lines that are the first correct one of their subject. */
async function compareLines(
  { db: tx }: ImportContext,
  { id, mapping }: DueImport,
  plans: readonly LinePlan[],
): Promise<IsFirst> {
  const placeOf = (target: string) => mapping.findIndex((column) => column.target === target) + 1;
  const claims = plans.flatMap((plan) => claimsOf(plan, placeOf));
  const owners = await claimKeys(tx, id, claims);
  claims.forEach(({ plan, place, line, conflict }, index) => {
    const owner = owners[index];
    if (owner && !owner.same && owner.line !== line) plan.faults.push({ place, detail: conflict(owner.line) });
  });
  return findFirst(tx, id, plans);
}

/** Only correct lines create a subject, so this is decided after the comparison. */
async function findFirst(tx: ImportContext['db'], importId: number, plans: readonly LinePlan[]): Promise<IsFirst> {
  const correct = plans.filter((plan) => plan.faults.length === 0 && createsSubject(plan));
  const keys = correct.map(({ wanted: { line, subject } }) => ({
    key: hash('new subject', subject),
    value: Buffer.alloc(0),
    line,
  }));
  const owners = await claimKeys(tx, importId, keys);
  return new Set(owners.flatMap((owner, index) => (owner.line === keys[index]?.line ? owner.line : [])));
}

function claimsOf(plan: LinePlan, placeOf: (target: string) => number): Claim[] {
  const { wanted } = plan;
  const { line, subject, experiment, dateOfBirth } = wanted;
  if (subject === '') return [];
  const claim = (place: number, key: Buffer, value: Buffer, conflict: Claim['conflict']): Claim => ({
    plan,
    place,
    line,
    key,
    value,
    conflict,
  });
  const repeated = (other: number) =>
    `Same ${experiment === null ? 'subject' : 'subject and experiment'} as line ${other}. Keep one of the two.`;
  return [
    claim(
      placeOf(experiment === null ? 'subject' : 'experiment'),
      hash('line', subject, experiment ?? ''),
      hash(String(line)),
      repeated,
    ),
    ...(dateOfBirth === null
      ? []
      : [
          claim(
            placeOf('date_of_birth'),
            hash('birth', subject),
            hash(dateOfBirth),
            (other) => `Line ${other} has another date of birth for this subject.`,
          ),
        ]),
    ...idClaims(wanted, claim),
  ];
}

type MakeClaim = (place: number, key: Buffer, value: Buffer, conflict: Claim['conflict']) => Claim;

function idClaims({ subject, experiment, subjectIds, experimentIds }: WantedLine, claim: MakeClaim): Claim[] {
  return [
    ...subjectIds.flatMap(({ name, value, place }) => [
      claim(
        place,
        hash('id of subject', name, value),
        hash(subject),
        (other) => `Line ${other} has this ID for another subject.`,
      ),
      claim(
        place,
        hash('subject id', name, subject),
        hash(value),
        (other) => `Line ${other} has another ID for this subject.`,
      ),
    ]),
    ...experimentIds.map(({ name, value, place }) =>
      claim(
        place,
        hash('id of experiment', name, value),
        hash(subject, experiment ?? ''),
        (other) => `Same ID as line ${other}.`,
      ),
    ),
  ];
}
