/** Two browsers see the same study; eight tabs of one share a stream of events. */
import type { Page } from 'playwright-core';
import { beforeAll, expect, it } from 'vitest';
import { signedIn, type Person } from './chromium.ts';
import { makeStudy, type Study } from './study.ts';
import { withProduct } from './with-product.ts';

const here = withProduct('data-live');
let study: Study;

beforeAll(async () => {
  study = await makeStudy(here.product, 'living');
});

const isLive = (page: Page) => page.getByRole('status').filter({ hasText: 'Live' }).waitFor();

async function open({ context }: Person, path: string): Promise<Page> {
  const page = await context.newPage();
  await page.goto(path);
  await isLive(page);
  return page;
}

it('a move in one browser is right in the other within a second: page, table and graph', async () => {
  const [mover, watcher] = [await signedIn(here), await signedIn(here)];
  const id = await study.experiment('watched');
  const moving = await open(mover, `/experiments/${id}`);
  const watched: [string, Page, () => Promise<unknown>][] = [];
  for (const [name, path, isRight] of [
    [
      'page',
      `/experiments/${id}`,
      (page: Page) => page.getByRole('region', { name: 'Where it can go' }).getByText('segmented').first().waitFor(),
    ],
    ['table', '/experiments', (page: Page) => rowOf(page).getByText('segmenting').first().waitFor()],
    ['graph', `/workflows/${study.workflow.id}`, (page: Page) => nodeOf(page, /^segmenting 1 experiment/).waitFor()],
  ] as const) {
    const page = await open(watcher, path);
    watched.push([name, page, () => isRight(page)]);
  }
  const moved = await moveByHand(moving);
  const seen = await Promise.all(
    watched.map(async ([name, , isRight]) => [name, await isRight().then(() => performance.now() - moved)] as const),
  );
  console.log(seen.map(([name, milliseconds]) => `${name} right after ${Math.round(milliseconds)} ms`).join(', '));
  for (const [, milliseconds] of seen) expect(milliseconds).toBeLessThan(1000);
  expect([...mover.complaints, ...watcher.complaints]).toEqual([]);
});

const rowOf = (page: Page) => page.getByRole('row', { name: /watched/ });
const nodeOf = (page: Page, name: RegExp) => page.getByRole('button', { name });

/** Answers when the server had moved it. */
async function moveByHand(page: Page): Promise<number> {
  await page.getByRole('button', { name: 'Move to segmenting' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel('Reason').fill('The segmentation may begin.');
  const answered = page.waitForResponse((response) => response.request().method() === 'PUT');
  await dialog.getByRole('button', { name: 'Move', exact: true }).click();
  expect((await answered).status()).toBe(200);
  return performance.now();
}

it('eight tabs work at once and share one stream of events', async () => {
  const person = await signedIn(here);
  let streams = 0;
  person.context.on('request', (request) => (streams += Number(request.url().includes('/events'))));
  const tabs = [];
  for (let number = 0; number < 8; number++) tabs.push(await open(person, '/experiments'));
  await study.experiment('late');
  await Promise.all(tabs.map((tab) => tab.getByRole('row', { name: /late/ }).waitFor()));
  expect(streams).toBeLessThanOrEqual(1);
  expect(person.complaints).toEqual([]);
});
