/** The study of the demo: 3 cohorts, 300 subjects, the state of each baseline scan, and the visits that follow. */
import { between, fate } from './fate.ts';

export interface DemoSubject {
  label: string;
  cohort: string;
  dateOfBirth: string;
  /** The ID in the archive. */
  externalId: string;
}

export interface DemoExperiment {
  label: string;
  subject: string;
  scandate: string;
  /** The state in the imported spreadsheet. Undefined if the experiment starts in the initial state. */
  state: string | undefined;
  /** The variables in the imported spreadsheet. */
  variables?: Readonly<Record<string, number>>;
}

export const workflow = 'brain_mri';

export const cohorts = [
  {
    label: 'memory-clinic',
    prefix: 'MC',
    size: 120,
    born: 1938,
    description: 'Memory clinic patients',
  },
  { label: 'healthy-ageing', prefix: 'HA', size: 120, born: 1945, description: 'Healthy volunteers over 60' },
  {
    label: 'young-onset',
    prefix: 'YO',
    size: 60,
    born: 1961,
    description: 'Patients with first symptoms before age 65',
  },
] as const;

/** The scans of each visit. */
export const scantypes = [
  { modality: 'MR', protocol: 'T1w' },
  { modality: 'MR', protocol: 'FLAIR' },
  { modality: 'MR', protocol: 'dMRI' },
] as const;

const two = (count: number) => String(count).padStart(2, '0');

const date = (year: number, chance: number) => `${year}-${two(between(1, 12, chance))}-${two(between(1, 28, chance))}`;

export const subjects: readonly DemoSubject[] = cohorts.flatMap(({ label: cohort, prefix, size, born }, place) =>
  Array.from({ length: size }, (_, index) => {
    const label = `${prefix}-${String(index + 1).padStart(4, '0')}`;
    const dateOfBirth = date(born + between(0, 14, fate('born', label)), fate('birthday', label));
    return { label, cohort, dateOfBirth, externalId: `XNAT_S${String(place * 1000 + index + 1).padStart(5, '0')}` };
  }),
);

/** The imported states, with their share of the baseline scans. The other scans start in the initial state. */
const importedStates: readonly (readonly [string, number])[] = [
  ['accepted', 0.68],
  ['rejected', 0.06],
  ['excluded', 0.05],
  ['visual_qc', 0.07],
  ['processing_failed', 0.015],
];

function importedState(label: string): string | undefined {
  let chance = fate('standing', label);
  for (const [state, share] of importedStates) {
    if (chance < share) return state;
    chance -= share;
  }
  return undefined;
}

/** As the automatic QC measures them if it leaves the decision to a person: one of the first two is outside its limits. */
function measurements(label: string): Record<string, number> {
  const isBlurred = fate('blurred', label) < 0.5;
  const [motion, contrast] = [fate('motion', label), fate('contrast', label)];
  return {
    motion_mm: isBlurred ? between(1.25, 1.6, motion, 2) : between(0.1, 1.1, motion, 2),
    contrast: isBlurred ? between(9.5, 24, contrast, 1) : between(6, 8.9, contrast, 1),
    hippocampus_ml: between(2.1, 4.4, fate('volume', label), 2),
  };
}

export const baseline: readonly DemoExperiment[] = subjects.map(({ label: subject }) => {
  const label = `${subject}-baseline`;
  const scandate = `${date(2024, fate('scan', label))}T${two(between(8, 17, fate('hour', label)))}:30:00`;
  const state = importedState(label);
  return { label, subject, scandate, state, ...(state === 'visual_qc' && { variables: measurements(label) }) };
});

/** The visits after the baseline, in order and without end. Each subject has one every six months. */
export function visit(number: number): DemoExperiment {
  const round = Math.floor(number / subjects.length) + 1;
  // 77 shares no factor with 300, so each round contains every subject once.
  const { label: subject = '' } = subjects[(number * 77) % subjects.length] ?? {};
  const label = `${subject}-month-${two(round * 6)}`;
  const scandate = `${date(2024 + Math.floor((round + 1) / 2), fate('scan', label))}T09:15:00`;
  return { label, subject, scandate, state: undefined };
}
