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
  // What a busy machine adds to one move it seldom adds to each of three.
  const rounds: number[] = [];
  for (const nth of [1, 2, 3]) rounds.push(await slowestSeen(mover, watcher, nth));
  expect(Math.min(...rounds)).toBeLessThan(1000);
  expect([...mover.complaints, ...watcher.complaints]).toEqual([]);
});

/** Moves the nth experiment; answers after how many milliseconds the last of the pages was right. */
async function slowestSeen(mover: Person, watcher: Person, nth: number): Promise<number> {
  const label = `watched-${nth}`;
  const id = await study.experiment(label);
  const pages = [
    await open(mover, `/experiments/${id}`),
    await open(watcher, `/experiments/${id}`),
    await open(watcher, '/experiments'),
    await open(watcher, `/workflows/${study.workflow.id}`),
  ] as const;
  const [moving, page, table, graph] = pages;
  await shows(page, 'main h1', new RegExp(label));
  await shows(table, 'tr', new RegExp(`${label}.*arrived`));
  await shows(graph, 'button', /^arrived1 /);

  const moved = await moveByHand(moving);
  const after = () => performance.now() - moved;
  const seen = await Promise.all([
    shows(page, 'main section', /^Where it can go.*segmented/).then(after),
    shows(table, 'tr', new RegExp(`${label}.*segmenting`)).then(after),
    shows(graph, 'button', new RegExp(`^segmenting${nth} `)).then(after),
  ]);
  console.log(`page, table and graph were right after ${seen.map((ms) => `${Math.round(ms)} ms`).join(', ')}`);
  for (const one of pages) await one.close();
  return Math.max(...seen);
}

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
