import { withClient } from '../../packages/server/testing/postgres-server.ts';

/**
 * The owner and permissions of the database, its schemas, tables, columns and functions, in one order for all databases. Default permissions
 * that were granted explicitly are not dumped, and equal those that nobody granted.
 */
export const ownersAndGrants = (url: string): Promise<string[]> =>
  withClient(url, async (client) => {
    const { rows } = await client.query<{ line: string }>(`
      select format('%s: %s %s', name, owner::regrole, (select array_agg(a::text order by a::text) from unnest(acl) a)) as line from (
        select 'database' as name, datdba as owner, coalesce(datacl, acldefault('d', datdba)) as acl from pg_database where datname = current_database()
        union all select nspname, nspowner, coalesce(nspacl, acldefault('n', nspowner)) from pg_namespace where nspname !~ '^pg_'
        union all select oid::regclass::text, relowner, coalesce(relacl, acldefault(case relkind when 'S' then 's' else 'r' end::"char", relowner))
          from pg_class where relnamespace in (select oid from pg_namespace where nspname !~ '^pg_')
        union all select format('%s.%s', attrelid::regclass, attname), relowner, attacl
          from pg_attribute join pg_class on pg_class.oid = attrelid where attacl is not null and relnamespace::regnamespace::text !~ '^pg_'
        union all select oid::regprocedure::text, proowner, coalesce(proacl, acldefault('f', proowner)) from pg_proc where pronamespace in (select oid from pg_namespace where nspname !~ '^pg_')
      ) as objects where name !~ '^(information_schema|pg_)' order by 1`);
    return rows.map(({ line }) => line);
  });
