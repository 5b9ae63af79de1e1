/** Finds objects by what a user types: an id, or a label. Digits are always an id. */
import type { Client } from '@milepost/api/client';
import { Failure, usage } from '../run/failure.ts';

export const isId = (text: string) => /^[1-9]\d*$/.test(text);

const notFound = (what: string, remedy: string) => new Failure('notFound', what, remedy);

export async function findExperimentId(client: Client, text: string): Promise<number> {
  if (isId(text)) return Number(text);
  const { experiments } = await client.listExperiments({ query: { label: text, limit: 10 } });
  const [first, ...others] = experiments;
  if (!first)
    throw notFound(`No experiment has the label \`${text}\`.`, `Search with: milepost experiment list ${text}`);
  if (others.length === 0) return first.id;
  const ids = experiments.map(({ id }) => id).join(', ');
  throw new Failure('conflict', `Several experiments have the label \`${text}\`.`, `Use one of their ids: ${ids}.`);
}

export async function findCohortId(client: Client, text: string): Promise<number> {
  return isId(text) ? Number(text) : (await client.getCohortByLabel({ params: { label: text } })).id;
}

export async function findWorkflowId(client: Client, text: string): Promise<number> {
  return isId(text) ? Number(text) : (await client.getWorkflowByLabel({ params: { label: text } })).id;
}

/** `memory-clinic/MC-0041`: labels of subjects are only unique in their cohort. */
export async function findSubjectId(client: Client, text: string): Promise<number> {
  if (isId(text)) return Number(text);
  const [, label, subject] = /^([^/]+)\/(.+)$/.exec(text) ?? [];
  if (label === undefined || subject === undefined)
    throw usage(`\`${text}\` is not a valid subject.`, 'Use its id, or COHORT/SUBJECT, such as memory-clinic/MC-0041.');
  return (await client.getCohortSubject({ params: { label, subject_label: subject } })).id;
}

/** `me`, an id, or a username. */
export async function findUserId(client: Client, text: string): Promise<number> {
  if (isId(text)) return Number(text);
  if (text === 'me') return (await client.getSession()).user.id;
  for await (const { id, username } of client.readRows('listUserRows', { query: { find: text } }))
    if (username === text) return Number(id);
  throw notFound(`No user has the username \`${text}\`.`, 'See `milepost user list`.');
}

export function wholeNumber(text: string, option: string): number {
  if (/^[1-9]\d{0,14}$/.test(text)) return Number(text);
  throw usage(`${option} must be a whole number above 0, not \`${text}\`.`);
}
