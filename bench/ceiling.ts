#!/usr/bin/env -S node --max-old-space-size=1024 --max-semi-space-size=16
/**
 * The fastest move that Fastify and pg can make with the rules in TypeScript: one statement reads the user and what the rules need,
 * one writes the rows that pgbench writes too. It only knows the study of callback-study.ts and compares the password as text.
 */
import { randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import Fastify from 'fastify';
import pg from 'pg';

const authorization = process.env['BENCH_AUTHORIZATION'] ?? '';
const userId = 1;
const pool = new pg.Pool({ connectionString: process.env['DATABASE_URL'] ?? '', max: 16 });

interface Inputs {
  version: string;
  state_id: string;
  withdrawn: boolean;
  incidents: boolean;
  action: string;
  execution: string | null;
  allowed: boolean;
}

const readText = `
  select experiments.version, experiments.state_id, subjects.withdrawn_at is not null as withdrawn,
    exists (select from incidents where incidents.experiment_id = experiments.id and incidents.closed_at is null) as incidents,
    actions.id as action, callback_executions.id as execution,
    exists (select from user_roles join roles on roles.id = user_roles.role_id
      where user_roles.user_id = users.id and (roles.name = 'admin' or 'sample_state_update' = any(roles.permissions))) as allowed
  from users cross join experiments
  join subjects on subjects.id = experiments.subject_id
  join actions on actions.experiment_id = experiments.id and actions.sequence = experiments.action_sequence
  left join callback_executions on callback_executions.action_id = actions.id
    and callback_executions.status not in ('finished', 'skipped')
  where users.id = $1 and users.active and experiments.id = $2`;

/** A statement of pgbench with numbered parameters. Writes nothing if the experiment has changed since it was read. */
function readStatement(file: string) {
  const text = readFileSync(new URL(file, import.meta.url), 'utf8');
  const guarded = text.replace('experiments.id = :id', 'experiments.id = :id and experiments.version = :version');
  if (guarded === text) throw new Error(`${file} does not contain "experiments.id = :id"`);
  const names: string[] = [];
  const numbered = guarded.replaceAll(/(?<!:):([a-z_]+)/g, (_, name: string) => {
    if (!names.includes(name)) names.push(name);
    return `$${names.indexOf(name) + 1}`;
  });
  const write = (values: Readonly<Record<string, unknown>>) =>
    pool.query({ name: file, text: numbered, values: names.map((name) => values[name]) });
  return write;
}

interface State {
  id: number;
  label: string;
  from: string;
  write: ReturnType<typeof readStatement>;
}

const states = new Map<string, State>([
  ['working', { id: 2, label: 'working', from: '1', write: readStatement('./move-enter.sql') }],
  ['resting', { id: 1, label: 'resting', from: '2', write: readStatement('./move-leave.sql') }],
]);

const text = { type: 'string' } as const;
const body = { type: 'object', required: ['state_label'], properties: { state_label: text } } as const;
const state = { type: 'object', properties: { id: { type: 'integer' }, label: text, uri: text } } as const;
const response = { 200: { type: 'object', properties: { success: { type: 'boolean' }, state } } } as const;

const app = Fastify({ genReqId: () => randomUUID(), disableRequestLogging: true });

app.put<{ Params: { id: string }; Body: { state_label: string } }>(
  '/api/v2/experiments/:id/state',
  { schema: { body, response } },
  async ({ headers, params: { id }, body: { state_label }, id: request_id }, reply) => {
    if (headers.authorization !== authorization) return reply.code(401).send();
    const { rows } = await pool.query<Inputs>({ name: 'read', text: readText, values: [userId, id] });
    const [inputs] = rows;
    const to = states.get(state_label);
    const refused = !inputs?.allowed || inputs.withdrawn || inputs.incidents;
    if (refused || !to || to.from !== inputs.state_id) return reply.code(409).send();
    const { rowCount } = await to.write({ ...inputs, id, request_id });
    if (rowCount === 0) return reply.code(409).send();
    reply.header('etag', `"${Number(inputs.version) + 1}"`).header('x-request-id', request_id);
    return { success: true, state: { id: to.id, label: to.label, uri: `/api/v2/states/${to.id}` } };
  },
);

console.log(`Ceiling at ${await app.listen({ host: '127.0.0.1', port: 0 })}`);
