/** The generated password of the first account, if no terminal shows it. */
import { access, readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { basic, createClient } from '@milepost/api';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createDevFolder, signalGroup, startDev, type DevFolder } from '../../testing/dev-process.ts';

let folder: DevFolder;
beforeAll(async () => {
  folder = await createDevFolder();
});
afterAll(() => folder.remove());

const exists = (file: string) =>
  access(file).then(
    () => true,
    () => false,
  );

describe('milepost dev without a terminal', () => {
  it('writes the first password to a private file that its output names, and removes it when the password is changed', async () => {
    const { child, output } = await startDev(folder.path, /Worker \S+ is running/);
    const file = join(folder.path, 'milepost-data', 'first-password');
    expect(output).toContain(`Created the first account. Username: admin  Password file: ${file}\n`);
    expect((await stat(file)).mode & 0o777).toBe(0o600);
    const password = (await readFile(file, 'utf8')).trim();
    expect(output).not.toContain(password);

    const [, url = ''] = /running at (\S+)/.exec(output) ?? [];
    const client = createClient({ baseUrl: `${url}/api/v2`, authorization: basic('admin', password) });
    const { users } = await client.listUsers();
    const body = { password: 'seven quiet lakes in autumn', current_password: password };
    await client.updateUser({ params: { id: users[0]?.id ?? 0 }, body });
    await expect.poll(() => exists(file), { interval: 200 }).toBe(false);
    expect(await signalGroup(child, 'SIGINT')).toBe(0);
  });
});
