/** Sentences about users, roles, tokens, sign-ins, workflows and settings. */
import { paths } from '../../paths.ts';
import {
  changes,
  counted,
  enteredState,
  fieldWords,
  kindWords,
  link,
  listed,
  named,
  object,
  plain,
  type Context,
  type Piece,
  type Sentence,
} from './sentence.ts';

const role = ({ before, after }: Context): Piece => link(plain(after['role'] ?? before['role']), paths.roles);

const inCohort = (context: Context): Piece[] =>
  context.after['cohort_id'] === undefined ? [] : [' on cohort ', named(context, 'cohort', context.after['cohort_id'])];

const roleSet: Sentence = (context) => {
  const [verb, word] = context.after['has_role'] === true ? ['Assigned', 'to'] : ['Removed', 'from'];
  return [`${verb} role `, role(context), ...inCohort(context), ` ${word} `, object(context)];
};

/** Nothing if users change their own account. */
const ofOther = (context: Context, word: string): Piece[] => {
  const { actor, object: changed } = context.entry;
  return actor.kind === 'user' && actor.id === changed.id ? [] : [` ${word} `, object(context)];
};

/** `role Reader in young-onset`. More than three cohorts are counted. */
function cohortRole({ role: name, cohorts }: { role: string; cohorts: readonly { label: string }[] }): string {
  const labels = cohorts.map(({ label }) => label);
  return `role ${name} in ${labels.length > 3 ? `${labels.length} cohorts` : listed(labels)}`;
}

const roles = ({ after }: Context): string => {
  const names = Array.isArray(after['roles']) ? after['roles'].map(String) : [];
  const forAll = names.length === 0 ? [] : [`${names.length === 1 ? 'role' : 'roles'} ${listed(names)}`];
  const inCohorts = Array.isArray(after['cohort_roles']) ? after['cohort_roles'].map(cohortRole) : [];
  const all = [...forAll, ...inCohorts];
  return all.length === 0 ? '' : ` with ${all.join(', and ')}`;
};

const createdUser: Sentence = (context) => ['Created user ', object(context), roles(context)];

function updatedUser(context: Context): Piece[] {
  const { password, ...others } = context.after;
  if (password === undefined) return ['Changed ', ...changes(context, ['user ', object(context)])];
  const fields = Object.keys(others).map(fieldWords);
  return [`Changed ${listed([...fields, 'password'])} of user `, object(context)];
}

const tokenName = ({ before, after }: Context) => `“${plain(after['name'] ?? before['name'])}”`;

function createdToken(context: Context): Piece[] {
  const expires = context.after['expires_at'];
  const owner = paths.user(context.entry.object.id);
  return [
    'Created API token ',
    context.after['name'] === undefined ? { as: 'erased' } : link(tokenName(context), owner),
    ...ofOther(context, 'for'),
    ...(typeof expires === 'string' ? [' (expires ', { as: 'time', at: expires } as const, ')'] : []),
  ];
}

const signedIn: Sentence = ({ entry, after }) => {
  if (entry.after === null) return ['Replaced the previous session'];
  return typeof after['address'] === 'string' ? [`Signed in from ${after['address']}`] : ['Signed in'];
};

const signedInWithProvider: Sentence = (context) => {
  const { entry, after, before } = context;
  if (entry.after !== null && 'session_id' in after) return ['Signed in with single sign-on'];
  if ('session_id' in before) return ['Replaced the previous session'];
  if ('has_role' in after) return [...roleSet(context), ' by single sign-on'];
  return [...createdUser(context), ' at the first single sign-on'];
};

interface Differences {
  added?: string[];
  changed?: string[];
  retired?: string[];
  revived?: string[];
}

/** `: 1 state added, 2 callbacks changed`. */
function differences({ after }: Context): string {
  const parts = (['states', 'transitions', 'callbacks'] as const).flatMap((list) => {
    const found = (after[list] ?? {}) as Differences;
    const of = (names: string[] | undefined, verb: string) =>
      names === undefined || names.length === 0 ? [] : [`${counted(names.length, list.slice(0, -1))} ${verb}`];
    return [
      ...of(found.added, 'added'),
      ...of(found.changed, 'changed'),
      ...of(found.retired, 'removed'),
      ...of(found.revived, 'restored'),
    ];
  });
  return parts.length === 0 ? '' : `: ${parts.join(', ')}`;
}

function revision({ entry, after }: Context): Piece {
  const number = after['revision'];
  if (typeof number !== 'number') return 'a revision';
  return link(`revision ${number}`, paths.workflowRevision(entry.object.id, number));
}

function importedWorkflow(context: Context): Piece[] {
  const { object: changed } = context.entry;
  if (changed.kind !== 'workflow')
    return ['Moved ', object(context), ' to ', enteredState(context), ' with a new revision of its workflow'];
  return ['Imported ', revision(context), ' of workflow ', object(context), differences(context)];
}

const updatedCallback: Sentence = (context) =>
  context.entry.object.kind === 'workflow'
    ? ['Created ', revision(context), ' of workflow ', object(context), differences(context)]
    : ['Changed ', ...changes(context, ['callback ', object(context)], ['workflow_revision'])];

const configured: Sentence = (context) => {
  const { before, object: changed } = context.entry;
  const kind = `${kindWords(changed.kind)} `;
  if (before === null) return [`Created ${kind}`, object(context), ' from a configuration file'];
  return ['Changed ', ...changes(context, [kind, object(context)]), ' from a configuration file'];
};

const deletedUser: Sentence = (context) =>
  'private_views' in context.before
    ? [`Removed ${counted(Number(context.before['private_views']), 'private view')} of `, object(context)]
    : ['Deactivated user ', object(context)];

const changedView: Sentence = ({ after }) => {
  const fields = Array.isArray(after['changed']) ? after['changed'].map((field) => fieldWords(String(field))) : [];
  return [fields.length === 0 ? 'Changed a view' : `Changed ${listed(fields)} of a view`];
};

export const setupSentences: Readonly<Record<string, Sentence>> = {
  assignUserRole: roleSet,
  removeUserRole: roleSet,
  assignCohortRole: roleSet,
  removeCohortRole: roleSet,
  createUser: createdUser,
  createFirstAdmin: (context) => ['Created the first administrator, ', object(context)],
  updateUser: updatedUser,
  deleteUser: deletedUser,
  createApiToken: createdToken,
  revokeApiToken: (context) => [`Revoked API token ${tokenName(context)}`, ...ofOther(context, 'of')],
  signIn: signedIn,
  signInWithProvider: signedInWithProvider,
  signOut: () => ['Signed out'],
  endSession: (context) => ['Ended a session', ...ofOther(context, 'of')],
  askPasswordReset: () => ['Requested a password reset link'],
  sendPasswordReset: (context) => ['Sent a password reset link to ', object(context)],
  redeemPasswordReset: () => ['Changed the password with a reset link'],
  resetPassword: (context) => ['Reset the password of user ', object(context), ' on the server'],
  importWorkflow: importedWorkflow,
  updateCallback: updatedCallback,
  createExternalSystem: (context) => ['Created external system ', object(context)],
  updateExternalSystem: (context) => ['Changed ', ...changes(context, ['external system ', object(context)])],
  importConfig: configured,
  overwriteConfig: configured,
  createView: () => ['Saved a view'],
  updateView: changedView,
  deleteView: () => ['Deleted a view'],
  verifyHistory: () => ['Requested a verification of the history'],
  visitAttention: () => ['Opened Attention'],
};
