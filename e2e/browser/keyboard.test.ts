/** Signing in, retrying, filtering, moving and adding notes with the keyboard alone. */
import { beforeAll, describe, expect, it } from 'vitest';
import { visitor, type Person } from './chromium.ts';
import { expectVisible, isFocused } from './expect-visible.ts';
import { tabTo } from './keyboard.ts';
import { withStudy } from './with-product.ts';

const env = withStudy('typing');

let person: Person;
beforeAll(async () => {
  await env.study.experiment('failing', 'segmenting');
  await (await env.study.claimRun()).finish('failed');
  await env.study.experiment('waiting');
  person = await visitor(env);
  await person.page.goto('/');
});

describe('a user with only a keyboard', () => {
  it('can sign in', async () => {
    const { page } = person;
    const { username, password } = env.product.account;
    await expect.poll(() => isFocused(page.getByLabel('Username or e-mail'))).toBe(true);
    await page.keyboard.type(username);
    await page.keyboard.press('Tab');
    await page.keyboard.type(password);
    await page.keyboard.press('Enter');
    await expectVisible(page.getByRole('heading', { name: '1 experiment needs attention' }));
  });

  it('can retry a failed experiment', async () => {
    const { page } = person;
    await tabTo(page, page.getByRole('button', { name: 'Retry failing' }));
    await page.keyboard.press('Enter');
    await (await env.study.claimRun()).finish('success');
    await expectVisible(page.getByRole('heading', { name: 'No experiments need attention' }));
  });

  it('can filter experiments by a state in the graph', async () => {
    const { page } = person;
    await page.goto(`/workflows/${env.study.workflow.id}`);
    await tabTo(page, page.getByRole('button', { name: /^arrived 1 experiment/ }));
    await page.keyboard.press('Enter');
    await page.waitForURL(/state=/);
    await expectVisible(page.getByRole('row', { name: /waiting/ }));
    await expect.poll(() => page.getByRole('row', { name: /failing/ }).count()).toBe(0);
  });

  it('can find an experiment and move it with a reason', async () => {
    const { page } = person;
    await page.keyboard.press('Control+k');
    await expect.poll(() => isFocused(page.getByRole('combobox', { name: /^Search/ }))).toBe(true);
    await page.keyboard.type('wait');
    await page.getByRole('option', { name: /waiting/ }).waitFor();
    await page.keyboard.press('Enter');
    await tabTo(page, page.getByRole('button', { name: 'Move to segmenting' }));
    await page.keyboard.press('Enter');
    await expect.poll(() => isFocused(page.getByLabel('Reason'))).toBe(true);
    await page.keyboard.type('By the keyboard.');
    await tabTo(page, page.getByRole('dialog').getByRole('button', { name: 'Move', exact: true }));
    await page.keyboard.press('Enter');
    await expectVisible(page.getByRole('region', { name: 'Timeline' }).getByText('“By the keyboard.”'));
  });

  it('can add a note to an experiment', async () => {
    const { page, pageErrors } = person;
    await tabTo(page, page.getByRole('textbox', { name: 'New note' }));
    await page.keyboard.type('Typed, not clicked.');
    await tabTo(page, page.getByRole('button', { name: 'Add note' }));
    await page.keyboard.press('Enter');
    await expectVisible(page.getByRole('listitem').getByText('Typed, not clicked.'));
    expect(pageErrors).toEqual([]);
  });
});
