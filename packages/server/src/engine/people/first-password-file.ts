/**
 * The generated password of the first account, in a file that only its owner can read. A server without a terminal writes it, because
 * its output is a log that others read and that is kept. The file is removed when the password has been changed.
 */
import { readFile, rm, writeFile } from 'node:fs/promises';
import { SettingsError } from '../../config.ts';
import type { Db } from '../../database/connection.ts';
import type { Passwords } from '../../passwords.ts';
import { findAccount } from '../../store/people/users.ts';

/** Replaces the file of an earlier start that failed, but never writes through a link. */
export async function writeFirstPassword(file: string, password: string): Promise<void> {
  await rm(file, { force: true });
  await writeFile(file, `${password}\n`, { mode: 0o600, flag: 'wx' }).catch((error: unknown) => {
    throw new SettingsError(
      `Cannot write the password of the first account to ${file}: ${(error as Error).message}. Set MILEPOST_ADMIN_PASSWORD, ` +
        'or start Milepost in a folder that it can write to.',
    );
  });
}

interface Options {
  db: Db;
  passwords: Passwords;
  file: string;
  username: string;
}

/** Returns a task that removes the file if its password is no longer valid. It hashes only after a change. */
export function outdatedPasswordRemoval({ db, passwords, file, username }: Options): () => Promise<void> {
  let validHash: string | null | undefined;
  return async () => {
    const text = await readFile(file, 'utf8').catch(() => undefined);
    if (text === undefined) return;
    const hash = (await findAccount(db, username))?.password_hash ?? undefined;
    if (hash !== undefined && hash === validHash) return;
    if (await passwords.verify(hash, text.trim())) validHash = hash;
    else await rm(file, { force: true });
  };
}
