/** Mails with password reset links: their number, retries after a failure, and the address of the link. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { resetTokenIn, textOf } from '../../testing/counterparts/mail-server.ts';
import { publicUrl, startResetWorld, type ResetUser, type ResetWorld } from '../../testing/password-reset-world.ts';
import { startWorkerProcess } from '../../testing/processes/worker-process.ts';
import { startServerProcess } from '../../testing/processes/server-process.ts';

let world: ResetWorld;
beforeAll(async () => {
  world = await startResetWorld();
});
afterAll(() => world.stop());

const change = (what: string, { id }: ResetUser) =>
  world.sql(`update password_resets set ${what} where user_id = $1`, [id]);

describe('an account', () => {
  it('gets at most three mails within an hour, however many were requested', async () => {
    const user = await world.user();
    for (let count = 0; count < 5; count++) await world.requestReset(user.username, user.proxyHeaders);
    await world.mailTo(user.email, 3);
    await world.waitUntilProcessed();
    expect(world.allMailTo(user.email)).toHaveLength(3);
  });

  it('gets another mail one hour after the earlier mails were sent, not after they were requested', async () => {
    const user = await world.user();
    for (let count = 0; count < 3; count++) await world.requestReset(user.username, user.proxyHeaders);
    await world.waitUntilProcessed();
    await change(`asked_at = asked_at - interval '65 minutes'`, user);
    await world.requestReset(user.username, user.proxyHeaders);
    await world.waitUntilProcessed();
    expect(world.allMailTo(user.email)).toHaveLength(3);
    await change(`expires_at = expires_at - interval '61 minutes'`, user);
    await world.requestReset(user.username, user.proxyHeaders);
    await world.mailTo(user.email, 4);
  });
});

describe('a password reset e-mail', () => {
  it('is retried after a temporary failure, and dropped after a permanent one', async () => {
    const [later, refused] = [await world.user('later'), await world.user('refused')];
    for (const { username, proxyHeaders } of [later, refused]) await world.requestReset(username, proxyHeaders);
    const stateOf = async ({ id }: ResetUser) =>
      (
        await world.sql(
          `select tries, ended_at is not null as ended, next_try_at > now() as waits
           from password_resets where user_id = $1 and token_hash is not null`,
          [id],
        )
      )[0];
    await expect.poll(() => stateOf(later)).toMatchObject({ ended: false, waits: true });
    await expect.poll(() => stateOf(refused)).toMatchObject({ ended: true });
    expect(world.worker.output()).toContain('failed to send a password reset link');
    expect(world.worker.output()).not.toContain(refused.email);
  });

  it('has a valid link in every attempt, even if the mail server reported a failure', async () => {
    const user = await world.user('halfway');
    await world.requestReset(user.username, user.proxyHeaders);
    // A mail being sent is reserved for two minutes. A failed one is retried earlier.
    const waiting = () =>
      world.sql(
        `select next_try_at < now() + interval '1 minute' as failed from password_resets
         where user_id = $1 and sent_at is null and ended_at is null`,
        [user.id],
      );
    for (let tries = 1; tries <= 5; tries++) {
      await world.mailTo(user.email, tries);
      await expect.poll(waiting).toEqual([{ failed: true }]);
      await change('next_try_at = now()', user);
    }
    await expect.poll(waiting).toEqual([]);
    const tokens = world.allMailTo(user.email).map(resetTokenIn);
    expect(new Set(tokens).size).toBe(5);
    // A rejected password does not use up the link, so all links can be checked.
    for (const token of tokens)
      expect(await world.redeem(token, user.proxyHeaders, 'password1234')).toMatchObject({ status: 400 });
    expect(await world.redeem(tokens[4] ?? '', user.proxyHeaders)).toMatchObject({ status: 200 });
    for (const token of tokens) expect(await world.redeem(token, user.proxyHeaders)).toMatchObject({ status: 403 });
  });
});

it('a worker without a public URL leaves reset links to another worker and logs this, and so does a server', async () => {
  const { MILEPOST_PUBLIC_URL: _none, ...settings } = world.settings;
  const user = await world.user();
  await world.worker.stop();
  await world.requestReset(user.username, user.proxyHeaders);
  const silent = [await startWorkerProcess(settings), await startServerProcess(settings)];
  const other = await startWorkerProcess(world.settings);
  expect(textOf(await world.mailTo(user.email))).toContain(`${publicUrl}/reset-password#`);
  for (const { output } of silent) expect(output()).toContain('no password reset links are sent');
  expect(other.output()).not.toContain('no password reset links are sent');
  await Promise.all([...silent, other].map(({ stop }) => stop()));
});
