/** Letters with links to new passwords: how many, what becomes of those that a mail server does not take, and where they lead. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { resetTokenIn, textOf } from '../../testing/counterparts/mail-server.ts';
import { publicUrl, startResetWorld, type Person, type ResetWorld } from '../../testing/reset-world.ts';
import { startWorkerProcess } from '../../testing/worker-process.ts';
import { startServerProcess } from '../../testing/server-process.ts';

let world: ResetWorld;
beforeAll(async () => {
  world = await startResetWorld();
});
afterAll(() => world.stop());

const change = (what: string, { id }: Person) =>
  world.sql(`update password_resets set ${what} where user_id = $1`, [id]);

describe('within an hour', () => {
  it('three letters go to an account, however often it was asked for', async () => {
    const somebody = await world.person();
    for (let count = 0; count < 5; count++) await world.ask(somebody.username, somebody.from);
    await world.letterTo(somebody.email, 3);
    await world.allSeen();
    expect(world.lettersTo(somebody.email)).toHaveLength(3);
  });

  it('of the letter itself: when it was asked for does not count', async () => {
    const somebody = await world.person();
    for (let count = 0; count < 3; count++) await world.ask(somebody.username, somebody.from);
    await world.allSeen();
    await change(`asked_at = asked_at - interval '65 minutes'`, somebody);
    await world.ask(somebody.username, somebody.from);
    await world.allSeen();
    expect(world.lettersTo(somebody.email)).toHaveLength(3);
    await change(`expires_at = expires_at - interval '61 minutes'`, somebody);
    await world.ask(somebody.username, somebody.from);
    await world.letterTo(somebody.email, 4);
  });
});

describe('a letter', () => {
  it('comes later where the mail server does not take it at once, and never where it refuses it', async () => {
    const [later, refused] = [await world.person('later'), await world.person('refused')];
    for (const { username, from } of [later, refused]) await world.ask(username, from);
    const stateOf = async ({ id }: Person) =>
      (
        await world.sql(
          `select tries, ended_at is not null as ended, next_try_at > now() as waits
           from password_resets where user_id = $1 and token_hash is not null`,
          [id],
        )
      )[0];
    await expect.poll(() => stateOf(later)).toMatchObject({ ended: false, waits: true });
    await expect.poll(() => stateOf(refused)).toMatchObject({ ended: true });
    expect(world.worker.output()).toContain('a link to a new password was not sent');
    expect(world.worker.output()).not.toContain(refused.email);
  });

  it('that came although the mail server said no has a link that works, whatever is sent after it, and so has the last', async () => {
    const somebody = await world.person('halfway');
    await world.ask(somebody.username, somebody.from);
    // While it is being sent nobody else takes it for two minutes; a try that failed is made again before.
    const waiting = () =>
      world.sql(
        `select next_try_at < now() + interval '1 minute' as failed from password_resets
         where user_id = $1 and sent_at is null and ended_at is null`,
        [somebody.id],
      );
    for (let tries = 1; tries <= 5; tries++) {
      await world.letterTo(somebody.email, tries);
      await expect.poll(waiting).toEqual([{ failed: true }]);
      await change('next_try_at = now()', somebody);
    }
    await expect.poll(waiting).toEqual([]);
    const tokens = world.lettersTo(somebody.email).map(resetTokenIn);
    expect(new Set(tokens).size).toBe(5);
    // A password that is refused leaves the link as it is: so each is asked, and none is used.
    for (const token of tokens)
      expect(await world.redeem(token, somebody.from, 'password1234')).toMatchObject({ status: 400 });
    expect(await world.redeem(tokens[4] ?? '', somebody.from)).toMatchObject({ status: 200 });
    for (const token of tokens) expect(await world.redeem(token, somebody.from)).toMatchObject({ status: 403 });
  });
});

it('is left to others by a worker without a public address, whose log says so, as that of a server does', async () => {
  const { MILEPOST_PUBLIC_URL: _none, ...settings } = world.settings;
  const somebody = await world.person();
  await world.worker.stop();
  await world.ask(somebody.username, somebody.from);
  const silent = [await startWorkerProcess(settings), await startServerProcess(settings)];
  const other = await startWorkerProcess(world.settings);
  expect(textOf(await world.letterTo(somebody.email))).toContain(`${publicUrl}/reset-password#`);
  for (const { output } of silent) expect(output()).toContain('nobody gets a link to a new password');
  expect(other.output()).not.toContain('nobody gets a link to a new password');
  await Promise.all([...silent, other].map(({ stop }) => stop()));
});
