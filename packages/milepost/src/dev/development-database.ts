/** A migrated database for development: an embedded PostgreSQL with an owner role and an application role, or DATABASE_URL. */
import { Client } from 'pg';
import { embeddedPostgres, given, migrate, type Environment } from '@milepost/server';

export interface DevelopmentDatabase {
  /** Added to those of the environment. */
  settings: { DATABASE_URL: string } | { MILEPOST_UNSAFE_DATABASE_ROLE: string };
  stop: () => Promise<void>;
}

const owner = 'milepost_owner';
const application = 'milepost_app';
const name = 'milepost';

export async function developmentDatabase(folder: string, environment: Environment): Promise<DevelopmentDatabase> {
  const url = given(environment, 'DATABASE_URL');
  return url === undefined ? embedded(folder) : external(url, given(environment, 'MILEPOST_OWNER_DATABASE_URL') ?? url);
}

async function embedded(folder: string): Promise<DevelopmentDatabase> {
  console.error(`Starting PostgreSQL. Data folder: ${folder}`);
  const server = await embeddedPostgres({ folder });
  try {
    const { ownerUrl, appUrl } = await prepare(server.url);
    await migrate({ ownerUrl, appRole: application });
    return { settings: { DATABASE_URL: appUrl }, stop: server.stop };
  } catch (error) {
    await server.stop();
    throw error;
  }
}

/** An existing database. For development, the owner role may also be the application role. */
async function external(appUrl: string, ownerUrl: string): Promise<DevelopmentDatabase> {
  await migrate({ ownerUrl, appRole: decodeURIComponent(new URL(appUrl).username) });
  return { settings: { MILEPOST_UNSAFE_DATABASE_ROLE: 'allow' }, stop: async () => undefined };
}

/** Creates the roles and the database at the first start. The roles share the superuser's password, as all are local. */
async function prepare(superuserUrl: string) {
  const password = decodeURIComponent(new URL(superuserUrl).password);
  const client = new Client({ connectionString: superuserUrl });
  await client.connect();
  try {
    const { rows } = await client.query('select from pg_database where datname = $1', [name]);
    if (rows.length === 0) {
      for (const role of [owner, application]) {
        await client.query(`drop role if exists ${role}`);
        await client.query(`create role ${role} login password ${client.escapeLiteral(password)}`);
      }
      await client.query(`create database ${name} owner ${owner} template template0 encoding 'UTF8'`);
    }
  } finally {
    await client.end();
  }
  const as = (role: string) => Object.assign(new URL(superuserUrl), { username: role, pathname: `/${name}` }).href;
  return { ownerUrl: as(owner), appUrl: as(application) };
}
