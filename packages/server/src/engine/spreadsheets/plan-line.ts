/** Compares a line of a spreadsheet with what is stored: what it would add, and why it cannot be imported. Nothing is overwritten. */
import { suggestion } from '@milepost/api';
import type { Owner, StoredExperiment, StoredSubject, StoredValues } from '../../store/spreadsheets/stored-values.ts';
import { stateNotFound } from '../experiments/change-state.ts';
import type { StateModel, WorkflowModel } from '../experiments/workflow-model.ts';
import type { LineFault, NamedValue, Places, WantedLine } from './read-line.ts';

/** The permissions of an author in the cohort, beside the one to create subjects and experiments. */
export interface Rights {
  /** sample_update */
  update: boolean;
  /** state_override */
  override: boolean;
}

export interface LinePlan {
  wanted: WantedLine;
  subject: StoredSubject | undefined;
  experiment: StoredExperiment | undefined;
  dateOfBirth: string | null;
  scanDate: string | null;
  /** The state of a new experiment that is created without callbacks. */
  state: StateModel | undefined;
  subjectIds: NamedValue[];
  experimentIds: NamedValue[];
  scans: number[];
  variables: NamedValue<unknown>[];
  faults: LineFault[];
}

export interface PlanInputs {
  stored: StoredValues;
  model: WorkflowModel | undefined;
  places: Places;
  rights: Rights;
}

export function planLine(inputs: PlanInputs, wanted: WantedLine): LinePlan {
  const { stored } = inputs;
  const subject = stored.subjects.get(wanted.subject);
  const experiment = wanted.experiment === null ? undefined : subject?.experiments.get(wanted.experiment);
  const faults: LineFault[] = [];
  const plan: LinePlan = {
    wanted,
    subject,
    experiment,
    dateOfBirth: newDate('date_of_birth', wanted.dateOfBirth, subject?.date_of_birth, inputs, faults),
    scanDate: newDate('scan_date', wanted.scanDate, experiment?.scandate, inputs, faults),
    state: stateOf(inputs, wanted, experiment, faults),
    subjectIds: newIds(wanted.subjectIds, subject, { stored, kind: 'subject' }, faults),
    experimentIds: newIds(wanted.experimentIds, experiment, { stored, kind: 'experiment' }, faults),
    scans: newScans(inputs, wanted, experiment, faults),
    variables: newVariables(wanted, experiment, faults),
    faults,
  };
  faults.push(...faultsOfPlan(inputs, plan));
  return plan;
}

export const createsSubject = ({ subject }: LinePlan) => subject === undefined;
export const createsExperiment = ({ wanted, experiment }: LinePlan) =>
  wanted.experiment !== null && experiment === undefined;

export const changesSomething = (plan: LinePlan): boolean =>
  createsSubject(plan) || createsExperiment(plan) || addsSomething(plan);

const addsSomething = ({ dateOfBirth, scanDate, subjectIds, experimentIds, scans, variables }: LinePlan) =>
  dateOfBirth !== null ||
  scanDate !== null ||
  [subjectIds, experimentIds, scans, variables].some((list) => list.length > 0);

function faultsOfPlan({ model, places, rights }: PlanInputs, plan: LinePlan): LineFault[] {
  const { subject, experiment, scanDate, wanted } = plan;
  const faults: LineFault[] = [];
  if (subject?.withdrawn && changesSomething(plan))
    faults.push({ place: places.subject ?? 0, detail: 'The subject has withdrawn. Nothing can be added.' });
  if (createsExperiment(plan) && !model)
    faults.push({ place: places.experiment ?? 0, detail: 'There is no workflow yet. Import one first.' });
  if (experiment && scanDate !== null && !rights.update)
    faults.push({ place: places.scan_date ?? 0, detail: missingRight('sample_update', 'change an experiment') });
  if (plan.variables.length > 0 && !rights.update)
    faults.push({ place: plan.variables[0]?.place ?? 0, detail: missingRight('sample_update', 'set variables') });
  if (createsExperiment(plan) && wanted.state !== null && !rights.override)
    faults.push({ place: places.state ?? 0, detail: missingRight('state_override', 'set states') });
  return faults;
}

const missingRight = (permission: string, what: string) =>
  `You need the permission \`${permission}\` in this cohort to ${what}. Ignore the column, or ask an administrator.`;

const another = (what: string, value: string) =>
  `${what} is already ${value}. An import does not overwrite. Change it there, or leave the cell empty.`;

function newDate(
  target: 'date_of_birth' | 'scan_date',
  wanted: string | null,
  stored: string | null | undefined,
  { places }: PlanInputs,
  faults: LineFault[],
): string | null {
  if (wanted === null || stored === wanted) return null;
  if (stored === null || stored === undefined) return wanted;
  const what = target === 'scan_date' ? 'The scan date' : 'The date of birth';
  faults.push({ place: places[target] ?? 0, detail: another(what, stored.replace('T00:00:00', '')) });
  return null;
}

/** A state only applies to a new experiment. One that exists is never moved. */
function stateOf(
  { model, places }: PlanInputs,
  { state, experiment: label }: WantedLine,
  experiment: StoredExperiment | undefined,
  faults: LineFault[],
): StateModel | undefined {
  if (state === null || label === null || experiment || !model) return undefined;
  const titled = [...model.statesByLabel.values()].find(({ title }) => title?.toLowerCase() === state.toLowerCase());
  const found = model.statesByLabel.get(state) ?? titled;
  if (!found) {
    faults.push({ place: places.state ?? 0, detail: stateNotFound(state, model) });
  }
  return found;
}

function newIds(
  wanted: readonly NamedValue[],
  owner: { id: number; external_ids: Record<string, string> } | undefined,
  { stored, kind }: { stored: StoredValues; kind: 'subject' | 'experiment' },
  faults: LineFault[],
): NamedValue[] {
  return wanted.filter(({ name, value, place }) => {
    const present = owner?.external_ids[name];
    if (present === value) return false;
    const other = stored.ownerOf(kind, name, value);
    if (!stored.systems.has(name)) faults.push({ place, detail: `No external system is called ${name}.` });
    else if (present !== undefined) faults.push({ place, detail: another(`The ID in ${name}`, present) });
    else if (other !== undefined) faults.push({ place, detail: belongsTo(value, name, other) });
    return true;
  });
}

function belongsTo(id: string, system: string, { subject, experiment }: Owner): string {
  const owner = `subject \`${subject}\``;
  const whole = experiment === undefined ? owner : `experiment \`${experiment}\` of ${owner}`;
  return `\`${id}\` in ${system} already belongs to ${whole}. Correct one of the two IDs.`;
}

function newScans(
  { stored, places }: PlanInputs,
  { scans }: WantedLine,
  experiment: StoredExperiment | undefined,
  faults: LineFault[],
): number[] {
  const [unknown, ...others] = scans.filter((protocol) => !stored.scantypes.has(protocol));
  if (unknown !== undefined) {
    const more = others.length === 0 ? '' : ` ${others.length} more are unknown.`;
    const known = suggestion(unknown, [...stored.scantypes.keys()], 10);
    faults.push({ place: places.scans ?? 0, detail: `No scan type has the protocol "${unknown}". ${known}${more}` });
  }
  const ids = scans.flatMap((protocol) => stored.scantypes.get(protocol) ?? []);
  return ids.filter((id) => !experiment?.scantype_ids.includes(id));
}

function newVariables(
  { variables }: WantedLine,
  experiment: StoredExperiment | undefined,
  faults: LineFault[],
): NamedValue<unknown>[] {
  return variables.filter(({ name, value, place }) => {
    if (!experiment || !Object.hasOwn(experiment.variables, name)) return true;
    const present = experiment.variables[name];
    if (present === null) return true;
    if (present !== value) faults.push({ place, detail: another(`The variable ${name}`, JSON.stringify(present)) });
    return false;
  });
}
