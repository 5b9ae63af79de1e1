/**
 * A client written to the specification works: calls all operations with each field and each status, and compares the responses
 * with tables that are transcribed from the specification by hand. Only this file starts the server. The others know nothing about
 * Milepost but the specification.
 */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startServerProcess, type ServerProcess } from '../../packages/server/testing/processes/server-process.ts';
import { createTestDatabase, type TestDatabase } from '../../packages/server/testing/test-database.ts';
import { checkOperation } from './check-operation.ts';
import { isRecordedBy, lineOf, recorded, type Deviation } from './deviations.ts';
import { password, sendTo } from './http.ts';
import { operations } from './operations/index.ts';
import { createStudy, type Study } from './study.ts';

let database: TestDatabase;
let server: ServerProcess;
let study: Study;
const all: Deviation[] = [];

beforeAll(async () => {
  database = await createTestDatabase();
  server = await startServerProcess({
    DATABASE_URL: database.databaseUrl,
    MILEPOST_ADMIN_USERNAME: 'admin',
    MILEPOST_ADMIN_PASSWORD: password,
  });
  study = await createStudy(sendTo(server.baseUrl));
});
afterAll(async () => {
  await server.stop();
  await database.drop();
});

describe('the server', () => {
  it.each(operations)('follows the specification of $operation', async (operation) => {
    const deviations = await checkOperation(operation, study);
    all.push(...deviations);
    const others = deviations.filter((deviation) => !recorded.some((line) => isRecordedBy(deviation, line)));
    expect(others.map(lineOf)).toEqual([]);
  });

  it('still has each recorded deviation', () => {
    const gone = recorded.filter((line) => !all.some((deviation) => isRecordedBy(deviation, line)));
    expect(gone).toEqual([]);
  });
});
