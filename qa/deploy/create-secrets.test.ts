/** deploy/compose/create-secrets under a strict umask, and with a program that fails. */
import { execFileSync, spawnSync } from 'node:child_process';
import { copyFileSync, mkdirSync, mkdtempSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { afterAll, expect, it } from 'vitest';
import { fromRoot } from '../../tools/printed-file.ts';

const work = mkdtempSync(join(tmpdir(), 'milepost-secrets-'));
afterAll(() => rmSync(work, { recursive: true }));

/** Runs it in a copy of the folder, with this text as the program openssl. */
function createSecrets(name: string, openssl: string) {
  const [folder, bin] = [join(work, name), join(work, `${name}-bin`)];
  mkdirSync(folder);
  for (const file of ['create-secrets', 'Caddyfile', 'create-roles'])
    copyFileSync(fromRoot(`deploy/compose/${file}`), join(folder, file));
  execFileSync('chmod', ['-R', 'go=', folder]);
  mkdirSync(bin);
  writeFileSync(join(bin, 'openssl'), `#!/bin/sh\n${openssl}\n`, { mode: 0o755 });
  const env = { ...process.env, PATH: [bin, process.env['PATH']].join(delimiter) };
  const { status, stderr } = spawnSync('bash', ['-c', 'umask 077 && ./create-secrets'], {
    cwd: folder,
    env,
    encoding: 'utf8',
  });
  const modeOf = (file: string) => (statSync(join(folder, file)).mode & 0o777).toString(8);
  return { status, stderr, secrets: readdirSync(join(folder, 'secrets')), modeOf };
}

it('lets containers read secrets and mounted files, but other accounts of the machine no secret', () => {
  const { status, secrets, modeOf } = createSecrets('complete', 'echo secret');
  expect(status).toBe(0);
  expect(secrets).toHaveLength(8);
  expect(['secrets', 'backups'].map(modeOf)).toEqual(['700', '700']);
  expect(['secrets/database-url', 'Caddyfile', 'create-roles'].map(modeOf)).toEqual(['644', '644', '744']);
});

it('stores no empty secret', () => {
  const { status, stderr, secrets } = createSecrets('failing', 'exit 1');
  expect([status, stderr, secrets]).toEqual([1, 'The secret superuser-password is empty.\n', []]);
});
