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

/** Looks at every frame that is drawn: to wait for a locator would look up to half a second late. */
const shows = (page: Page, selector: string, text: RegExp) =>
  page.waitForFunction(
    ([places = '', pattern = '']) =>
      [...document.querySelectorAll(places)].some(({ textContent }) => new RegExp(pattern).test(textContent)),
    [selector, text.source],
    { polling: 'raf' },
  );

it('a move in one browser is right in the other within a second: page, table and graph', async () => {
  const [mover, watcher] = [await signedIn(here), await signedIn(here)];
  const id = await study.experiment('watched');
  const moving = await open(mover, `/experiments/${id}`);
  const page = await open(watcher, `/experiments/${id}`);
  const table = await open(watcher, '/experiments');
  const graph = await open(watcher, `/workflows/${study.workflow.id}`);
  await shows(page, 'main h1', /watched/);
  await shows(table, 'tr', /watched.*arrived/);
  await shows(graph, 'button', /^arrived1 /);

  const moved = await moveByHand(moving);
  const after = () => performance.now() - moved;
  const seen = await Promise.all([
    shows(page, 'main section', /^Where it can go.*segmented/).then(after),
    shows(table, 'tr', /watched.*segmenting/).then(after),
    shows(graph, 'button', /^segmenting1 /).then(after),
  ]);
  console.log(`page, table and graph were right after ${seen.map((ms) => `${Math.round(ms)} ms`).join(', ')}`);
  expect(Math.max(...seen)).toBeLessThan(1000);
  expect([...mover.complaints, ...watcher.complaints]).toEqual([]);
});

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
