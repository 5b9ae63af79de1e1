/**
 * External links (specification, section 4, External links): external IDs as objects with their own id. Links of experiments
 * and of subjects share this code.
 */
import type { ExperimentLink, externalLinkOperations, SubjectLink } from '@milepost/api';
import type { Static } from 'typebox';
import type { Tx } from '../../database/connection.ts';
import type { Page } from '../../database/read-list.ts';
import { inTransaction } from '../../database/transaction.ts';
import { Problem } from '../../errors.ts';
import { created, ok, type Answer, type Call, type Handlers } from '../../http/call.ts';
import { wants, type Fields } from '../../http/field-mask.ts';
import type { Links } from '../../links.ts';
import * as store from '../../store/study/external-links.ts';
import { experimentIds, subjectIds, type Links as LinkTable } from '../../store/study/external-values.ts';
import { experimentOwner } from '../experiments/experiments.ts';
import { showSystem } from './external-systems.ts';
import { listAnswer } from '../lists.ts';
import { experimentReference, subjectReference, systemReference, type Referable } from '../references/referable.ts';
import { resolveReference, type Referred } from '../references/resolve-reference.ts';
import { subjectOwner } from './subjects.ts';
import { changeExternalValues, setOne, type Owning } from './external-values.ts';

/** The differences between links of experiments and of subjects. */
interface Kind<Row extends { id: number; version: number }, Body> {
  /** The response field of the owner, and the body fields that refer to it. */
  field: 'experiment' | 'subject';
  names: readonly string[];
  reference: Referable;
  table: LinkTable;
  owner: Owning<Row>;
  show: (links: Links, row: store.LinkRow) => Body;
}

const experimentLinks = handlersOf({
  field: 'experiment',
  names: ['experiment', 'experiment_id'],
  reference: experimentReference,
  table: experimentIds,
  owner: experimentOwner,
  show: (links, row): Static<typeof ExperimentLink> => ({
    ...showLink(links, experimentIds, row),
    experiment: showOwner(links, experimentIds, row),
  }),
});

const subjectLinks = handlersOf({
  field: 'subject',
  names: ['subject_id', 'subject'],
  reference: subjectReference,
  table: subjectIds,
  owner: subjectOwner,
  show: (links, row): Static<typeof SubjectLink> => ({
    ...showLink(links, subjectIds, row),
    subject: showOwner(links, subjectIds, row),
  }),
});

export const externalLinkHandlers: Handlers<typeof externalLinkOperations> = {
  async listExternalExperimentLinks(call) {
    return listAnswer('external_experiment_links', await experimentLinks.list(call), experimentLinks.show(call));
  },
  createExternalExperimentLink: async (call) => shown(created, await experimentLinks.write(call, 'create')),
  // Always 200, because the specification lists no 201.
  replaceExternalExperimentLink: async (call) => shown(ok, await experimentLinks.write(call, 'replace')),
  getExternalExperimentLink: experimentLinks.get,

  async listExternalSubjectLinks(call) {
    return listAnswer('external_subject_links', await subjectLinks.list(call), subjectLinks.show(call));
  },
  createExternalSubjectLink: async (call) => shown(created, await subjectLinks.write(call, 'create')),
  async replaceExternalSubjectLink(call) {
    const written = await subjectLinks.write(call, 'replace');
    return shown(written.isCreated ? created : ok, written);
  },
  getExternalSubjectLink: subjectLinks.get,
};

type Answering = <B>(body: B, version: number) => Answer<B>;

const shown = <B>(answer: Answering, { body, version }: { body: B; version: number }) => answer(body, version);

type ReadCall = Pick<Call, 'database' | 'account' | 'links' | 'fields'>;
type WriteCall = ReadCall & Pick<Call, 'author' | 'requireVersion'> & { body: { external_id: string } };

function handlersOf<Row extends { id: number; version: number }, Body>(kind: Kind<Row, Body>) {
  const { field, table, show } = kind;
  /** `list` is the response field that contains the links. */
  const wanted = (fields: Fields, ...list: string[]): store.LinkFields => ({
    ownerLabel: wants(fields, ...list, field, 'label'),
    system: ['system_name', 'url'].some((name) => wants(fields, ...list, 'external_system', name)),
  });
  return {
    show:
      ({ links }: ReadCall) =>
      (row: store.LinkRow): Body =>
        show(links, row),
    list: ({ database, account, fields, query }: ReadCall & { query: Page }) =>
      store.listLinks(database, account.scope, table, wanted(fields, table.table), query),
    get: async ({ database, account, links, fields, params }: ReadCall & { params: { id: number } }) => {
      const row = await store.getLink(database.db, account.scope, table, params.id, wanted(fields));
      return ok(show(links, row), row.version);
    },
    write: (call: WriteCall, how: 'create' | 'replace') =>
      inTransaction(call.database.db, async (tx) => {
        const { isCreated, pair } = await writeLink(tx, call, kind, how);
        const row = await store.getLinkByPair(tx, call.account.scope, table, pair, wanted(call.fields));
        return { isCreated, body: show(call.links, row), version: row.version };
      }),
  };
}

/** A pair of owner and system has one link, which keeps its id when replaced. `create` fails if it exists. */
async function writeLink<Row extends { id: number; version: number }>(
  tx: Tx,
  call: WriteCall,
  { names, reference, owner }: Kind<Row, unknown>,
  how: 'create' | 'replace',
) {
  const { id: ownerId } = await resolveReference(tx, call, reference, names);
  const system = await resolveReference(tx, call, systemReference, ['external_system', 'external_system_name']);
  const set = setOne(owner, ownerId, { systemId: system.id, name: system.label, text: call.body.external_id });
  const { isCreated } = await changeExternalValues(tx, call, owner, ownerId, (inner, before) => {
    if (how === 'create' && Object.hasOwn(before, system.label)) throw alreadyLinked(reference.name, system);
    return set(inner, before);
  });
  return { isCreated, pair: { ownerId, systemId: system.id } };
}

function alreadyLinked(name: string, { label, pointer }: Referred): Problem {
  const detail = `The ${name} already has an ID in ${label}. Use PUT to replace it.`;
  return new Problem('already_exists', detail, { faults: [{ pointer, detail }] });
}

/** Fields that were not requested are empty here. The mask removes them from the response. */
const showLink = (links: Links, { table }: LinkTable, row: store.LinkRow) => ({
  id: row.id,
  uri: links.uri(table, row.id),
  external_id: row.external_id,
  external_system: showSystem(links, {
    id: row.external_system_id,
    system_name: row.system_name ?? '',
    url: row.url ?? '',
  }),
});

const showOwner = (links: Links, { ownerTable }: LinkTable, row: store.LinkRow) =>
  links.ref(ownerTable, { id: row.owner_id, label: row.owner_label ?? '' });
