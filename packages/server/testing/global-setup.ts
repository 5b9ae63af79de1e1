/** Starts PostgreSQL once for all tests, with two roles and a migrated template database that test files clone. */
import type { TestProject } from 'vitest/node';
import { guardStatuses } from './guard-statuses.ts';
import { guardVersions } from './guard-versions.ts';
import { startTestPostgres, urlsOf, withClient } from './postgres-server.ts';

export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const { server, end } = await startTestPostgres();
  await withClient(urlsOf(server, server.template).ownerUrl, async (client) => {
    await guardVersions(client, server.appRole);
    await guardStatuses(client, server.appRole);
  });
  project.provide('testServer', server);
  return end;
}
