#!/usr/bin/env -S node --max-old-space-size=1024 --max-semi-space-size=16
/**
 * The fastest way to read an experiment with Fastify and pg: one named statement reads the user with the permission, one the
 * experiment. It compares the password as text.
 */
import Fastify from 'fastify';
import pg from 'pg';

const authorization = process.env['BENCH_AUTHORIZATION'] ?? '';
const publicUrl = process.env['BENCH_PUBLIC_URL'] ?? '';
const username = 'admin';
const pool = new pg.Pool({ connectionString: process.env['DATABASE_URL'] ?? '', max: 16 });

const userText = `
  select exists (select from user_roles join roles on roles.id = user_roles.role_id
    where user_roles.user_id = users.id and (roles.name = 'admin' or 'experiment_read' = any(roles.permissions))) as allowed
  from users where users.username_key = $1 and users.active`;

const experimentText = `
  select experiments.id, experiments.label, experiments.scandate, experiments.version,
    experiments.state_id, states.label as state_label, experiments.subject_id, subjects.label as subject_label,
    (select coalesce(json_object_agg(external_systems.system_name, links.external_id order by external_systems.id), '{}')
      from external_experiment_links as links join external_systems on external_systems.id = links.external_system_id
      where links.experiment_id = experiments.id) as external_ids,
    (select coalesce(json_object_agg(name, value order by name), '{}')
      from experiment_variables where experiment_variables.experiment_id = experiments.id) as variable_map
  from experiments
  join subjects on subjects.id = experiments.subject_id
  join states on states.id = experiments.state_id
  where experiments.id = $1`;

interface Experiment {
  id: string;
  label: string;
  scandate: string | null;
  version: string;
  state_id: string;
  state_label: string;
  subject_id: string;
  subject_label: string;
  external_ids: object;
  variable_map: object;
}

const ref = (collection: string, id: string, label: string) => ({
  id: Number(id),
  label,
  uri: `/api/v2/${collection}/${id}`,
});

const app = Fastify({ disableRequestLogging: true });

app.get<{ Params: { id: string } }>('/api/v2/experiments/:id', async ({ headers, params: { id } }, reply) => {
  if (headers.authorization !== authorization) return reply.code(401).send();
  const users = await pool.query<{ allowed: boolean }>({ name: 'user', text: userText, values: [username] });
  if (!users.rows[0]?.allowed) return reply.code(403).send();
  const { rows } = await pool.query<Experiment>({ name: 'experiment', text: experimentText, values: [id] });
  const [row] = rows;
  if (!row) return reply.code(404).send();
  reply.header('etag', `"${row.version}"`);
  return {
    id: Number(row.id),
    uri: `/api/v2/experiments/${row.id}`,
    api_uri: `${publicUrl}/api/v2/experiments/${row.id}`,
    web_uri: `${publicUrl}/experiments/${row.id}`,
    label: row.label,
    scandate: row.scandate,
    state: ref('states', row.state_id, row.state_label),
    subject: ref('subjects', row.subject_id, row.subject_label),
    external_ids: row.external_ids,
    variable_map: row.variable_map,
  };
});

console.log(`Bare handler at ${await app.listen({ host: '127.0.0.1', port: 0 })}`);
