/** Guesses from the headers of a spreadsheet what its columns contain. */
import type { ColumnMapping, ColumnTarget } from '@milepost/api';

const headersOf: Partial<Record<ColumnTarget, readonly string[]>> = {
  // A column `patient` often has the names of patients.
  subject: ['subject', 'subjectlabel', 'subjectid', 'participant', 'participantid', 'patientid', 'pseudonym'],
  date_of_birth: ['dateofbirth', 'dob', 'birthdate', 'birthday', 'geburtsdatum', 'geboortedatum'],
  experiment: ['experiment', 'experimentlabel', 'session', 'sessionlabel', 'sessionid', 'examination'],
  scan_date: ['scandate', 'dateofscan', 'acquisitiondate', 'sessiondate', 'studydate', 'examinationdate', 'date'],
  state: ['state', 'currentstate', 'status'],
  scans: ['scans', 'scan', 'scantypes', 'scantype', 'protocols', 'sequences'],
};

/** Columns that name an experiment together with the subject. */
const visits = new Set(['visit', 'timepoint', 'wave', 'followup', 'visitlabel']);

const lettersOf = (header: string) =>
  header
    .normalize('NFKD')
    .toLowerCase()
    .replaceAll(/[^a-z0-9]/g, '');

const ignored: ColumnMapping = { target: 'ignored' };

/** One mapping for each header. A target that one column can have goes to the first column that fits. */
export function guessMapping(headers: readonly string[], systems: readonly string[]): ColumnMapping[] {
  const guesses = headers.map((header) => guessOne(header, systems));
  const subject = headers[guesses.findIndex(({ target }) => target === 'subject')];
  const withVisits = guesses.some(({ target }) => target === 'experiment')
    ? guesses
    : guesses.map((guess, index) => guessVisit(headers[index] ?? '', guess, subject));
  return withVisits.map((guess, index) => (isRepeated(withVisits, guess, index) ? ignored : guess));
}

function guessOne(header: string, systems: readonly string[]): ColumnMapping {
  const [, variable] = /^var(?:iable)?[.:_ ]\s*(.+)$/i.exec(header) ?? [];
  if (variable !== undefined) return { target: 'variable', name: variable };
  const letters = lettersOf(header);
  const found = Object.entries(headersOf).find(([, known]) => known.includes(letters));
  if (found) return { target: found[0] as ColumnTarget };
  const system = systems.find((name) => isIdIn(letters, lettersOf(name)));
  if (system === undefined) return ignored;
  return { target: letters.includes('subject') ? 'subject_id' : 'experiment_id', name: system };
}

/** `xnat`, `XNAT ID`, `xnat_experiment_id`, `xnat subject`. */
const isIdIn = (letters: string, system: string) =>
  system !== '' &&
  letters.startsWith(system) &&
  /^(?:experiment|session|subject)?(?:id|label)?$/.test(letters.slice(system.length));

const guessVisit = (header: string, guess: ColumnMapping, subject: string | undefined): ColumnMapping =>
  guess.target === 'ignored' && subject !== undefined && visits.has(lettersOf(header))
    ? { target: 'experiment', template: `{${subject}}-{${header}}` }
    : guess;

const isRepeated = (all: readonly ColumnMapping[], { target, name }: ColumnMapping, index: number) =>
  target !== 'ignored' && all.slice(0, index).some((other) => other.target === target && other.name === name);
