import { describe, expect, it } from 'vitest';
import { canFold, foldedSentence, foldedSentences } from './folded-sentences.ts';
import { foldNeighbours, startOf } from './folds.ts';
import { entryOf, sampleNames, samples } from './sample-entries.ts';
import { namesById, textOf } from './sentence.ts';
import { sentences } from './sentences.ts';
import type { Entry } from './use-audit.ts';

const names = namesById(sampleNames);

const sampleOf = (operation: string): Entry => {
  const sample = samples.find((one) => one.operation === operation);
  if (!sample) throw new Error(`No sample of ${operation}.`);
  return entryOf(sample);
};

/** Seconds after 9:00. */
const at = (seconds: number) => new Date(Date.UTC(2026, 10, 16, 9, 0, seconds)).toISOString();

const variable = (name: string, more: Partial<Entry> = {}): Entry => ({
  ...sampleOf('setExperimentVariable'),
  at: at(0),
  before: { variables: {} },
  after: { variables: { [name]: 1 } },
  ...more,
});

const move = (from: string, to: string): Entry => ({
  ...sampleOf('setExperimentState'),
  before: { state: from },
  after: { state: to, state_id: 4 },
});

/** The five outcomes of an evaluation and of the end of an action. */
const [blocked, moved, ended, failed, succeeded] = samples.slice(4, 9).map(entryOf) as [
  Entry,
  Entry,
  Entry,
  Entry,
  Entry,
];

const onExperiment = (id: number, entry: Entry): Entry => ({
  ...entry,
  object: { ...entry.object, id, label: `MC-${id}` },
  chain: { kind: 'experiment', id },
});

const sizes = (...entries: Entry[]) => foldNeighbours(entries).map((fold) => fold.length);

const folded = (...entries: [Entry, ...Entry[]]) => textOf(foldedSentence(entries, names));

describe('neighbouring entries', () => {
  it('are folded if they are of one request, however far apart', () => {
    const request_id = 'req_1';
    const entries = [1, 2, 3].map((id) => onExperiment(id, variable('a', { request_id, at: at(-600 * id) })));
    expect(sizes(...entries)).toEqual([3]);
  });

  it('are folded if they change the same experiment within a minute', () => {
    expect(sizes(variable('a', { at: at(50) }), variable('b', { at: at(20) }), variable('c'))).toEqual([3]);
    expect(sizes(variable('a', { at: at(61) }), variable('b'))).toEqual([1, 1]);
  });

  it('are folded if they change several experiments at the same moment', () => {
    expect(sizes(onExperiment(1, variable('a', { at: at(1) })), onExperiment(2, variable('a')))).toEqual([2]);
    expect(sizes(onExperiment(1, variable('a', { at: at(10) })), onExperiment(2, variable('a')))).toEqual([1, 1]);
  });

  it('are not folded further than a minute from the first, or 2 s for several experiments', () => {
    const near = [100, 50, 0].map((seconds) => variable('a', { at: at(seconds) }));
    expect(sizes(...near)).toEqual([2, 1]);
    const others = [3, 1.5, 0].map((seconds, id) => onExperiment(id, variable('a', { at: at(seconds) })));
    expect(sizes(...others)).toEqual([2, 1]);
  });

  it('stay single if their outcome differs: moved, incident or success', () => {
    expect(sizes(blocked, onExperiment(2, blocked), moved)).toEqual([2, 1]);
    expect(sizes(ended, failed, onExperiment(2, failed), succeeded)).toEqual([1, 2, 1]);
    expect(sizes(failed, { ...failed, after: { ...failed.after, incident: 'brake' } })).toEqual([1, 1]);
    expect(sizes(failed, { ...failed, after: { ...failed.after, success: true } })).toEqual([1, 1]);
  });

  it('that move one experiment are folded only if no move is missing between them', () => {
    expect(sizes(move('b', 'c'), move('a', 'b'))).toEqual([2]);
    expect(sizes(move('c', 'd'), move('a', 'b'))).toEqual([1, 1]);
    expect(sizes(onExperiment(1, move('c', 'd')), onExperiment(2, move('a', 'b')))).toEqual([2]);
  });

  it('stay single if the author, the operation, the kind or the reason differs', () => {
    const first = variable('a');
    const other = { ...first.actor, id: 8, name: 'Jonas Lind' };
    expect(sizes(first, variable('b', { actor: other }))).toEqual([1, 1]);
    expect(sizes(first, { ...sampleOf('addNote'), at: first.at })).toEqual([1, 1]);
    expect(sizes(first, variable('b', { kind: 'correction' }))).toEqual([1, 1]);
    expect(sizes(first, variable('b', { reason: 'Measured again' }))).toEqual([1, 1]);
  });

  it('stay single if another entry is between them', () => {
    const between = { ...sampleOf('addNote'), at: at(0) };
    expect(sizes(variable('a'), between, variable('b'), variable('c'))).toEqual([1, 1, 2]);
  });

  it('stay single if no sentence describes several of them', () => {
    expect(canFold('signIn')).toBe(false);
    expect(sizes(sampleOf('signIn'), sampleOf('signIn'))).toEqual([1, 1]);
  });

  it('keep their order', () => {
    const [fold] = foldNeighbours([variable('a', { id: 9 }), variable('b', { id: 8 })]);
    expect(fold?.map(({ id }) => id)).toEqual([9, 8]);
  });

  it('have a start if they take a minute or longer', () => {
    expect(startOf([variable('a', { at: at(59) }), variable('b')])).toBeUndefined();
    expect(startOf([variable('a', { at: at(60) }), variable('b')])).toBe(at(0));
  });
});

describe('the sentence of folded entries', () => {
  it('counts the variables of an experiment, and names a few', () => {
    const set = (...of: string[]) => folded(variable('qc'), ...of.map((name) => variable(name)));
    expect(set('motion')).toBe('Set 2 variables of MC-0031-month-12: motion and qc');
    expect(set('a', 'b', 'c', 'd')).toBe('Set 5 variables of MC-0031-month-12');
    expect(set('qc')).toBe('Set 1 variable of MC-0031-month-12 2 times: qc');
    expect(folded(variable('a'), onExperiment(2, variable('b')))).toBe('Set variables of 2 experiments');
  });

  it('names the states that all experiments left and entered', () => {
    const first = onExperiment(1, move('a', 'b'));
    expect(folded(first, onExperiment(2, move('a', 'b')))).toBe('Moved 2 experiments from a to b');
    expect(folded(first, onExperiment(2, move('a', 'c')))).toBe('Moved 2 experiments from a');
  });

  it('names the first and the last state of one experiment', () => {
    const entries = [move('b', 'c'), move('a', 'b')] as const;
    const of = (operation: string) =>
      textOf(
        foldedSentence(
          [
            { ...entries[0], operation },
            { ...entries[1], operation },
          ],
          names,
        ),
      );
    expect(of('setExperimentState')).toBe('Moved MC-0031-month-12 2 times, from a to c');
    expect(of('placeExperiment')).toBe('Corrected the state of MC-0031-month-12 2 times, from a to c');
    expect(of('evaluateExperiment')).toBe('Re-evaluated MC-0031-month-12 2 times: moved from a to c');
    expect(of('importWorkflow')).toBe('Moved MC-0031-month-12 2 times to c with a new revision of its workflow');
  });

  it('names the outcome that all entries have', () => {
    const two = (entry: Entry) => folded(onExperiment(1, entry), onExperiment(2, entry));
    expect(two(blocked)).toBe('Re-evaluated 2 experiments: opened 2 incidents (blocked)');
    expect(two(moved)).toBe('Re-evaluated 2 experiments: moved from visual_qc to archiving');
    expect(two(ended)).toBe('Moved 2 experiments from visual_qc to archiving');
    expect(two(failed)).toBe('Ended actions of 2 experiments: opened 2 incidents (failed)');
    expect(two(succeeded)).toBe('Ended actions of 2 experiments');
    expect(folded(failed, failed)).toBe('Ended 2 actions of MC-0031-month-12: opened 2 incidents (failed)');
  });

  it('counts objects that were created, and names the cohort or state they share', () => {
    const subject = sampleOf('createSubject');
    const elsewhere = { ...subject, after: { ...subject.after, cohort_id: 8 } };
    expect(folded(subject, subject)).toBe('Created 2 subjects in cohort young-onset');
    expect(folded(subject, elsewhere)).toBe('Created 2 subjects');
    const experiment = sampleOf('createExperiment');
    expect(folded(onExperiment(1, experiment), onExperiment(2, experiment))).toBe('Created 2 experiments in arrived');
  });

  it('counts each part of an experiment once', () => {
    const note = sampleOf('addNote');
    const second = { ...note, object: { ...note.object, id: 6 } };
    expect(folded(note, second)).toBe('Added 2 notes to MC-0031-month-12');
    expect(folded(onExperiment(1, note), onExperiment(2, second))).toBe('Added notes to 2 experiments');
    const ids = sampleOf('addExperimentExternalIds');
    expect(folded(ids, ids, ids)).toBe('Set 2 external IDs of MC-0031-month-12 3 times');
  });

  it('names the user to whom all experiments were assigned', () => {
    const assign = sampleOf('assignExperiment');
    expect(folded(onExperiment(1, assign), onExperiment(2, assign))).toBe('Assigned 2 experiments to Amina Haddad');
  });

  it('names a role that was assigned on several cohorts', () => {
    const assign = sampleOf('assignCohortRole');
    const onOther = { ...assign, after: { ...assign.after, cohort_id: 8 } };
    expect(folded(assign, onOther)).toBe('Assigned role Reader on 2 cohorts to jonas');
    const other = { ...assign, object: { ...assign.object, id: 9 } };
    expect(folded(assign, other)).toBe('Assigned role Reader on cohort young-onset to 2 users');
  });

  it('reads well for every operation, for one object and for several', () => {
    expect(Object.keys(foldedSentences).filter((operation) => sentences[operation] === undefined)).toEqual([]);
    const foldable = samples.filter(({ operation }) => canFold(operation));
    for (const sample of foldable) {
      const entry = entryOf(sample);
      const other = onExperiment(7, entry);
      for (const text of [folded(entry, entry), folded(entry, other)]) {
        expect(text).toMatch(/^[A-Z].* /);
        expect(text).not.toMatch(/undefined|null|NaN|\[object|\b1 \w+s\b/);
      }
    }
  });
});
