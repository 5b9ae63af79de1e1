/** Two browsers see the same study; eight tabs of one share a stream of events. */
import type { Page, Request } from 'playwright-core';
import { beforeAll, expect, it } from 'vitest';
import { signedIn, signIn, visitor, type Person } from './chromium.ts';
import { makeStudy, type Study } from './study.ts';
import { withProduct } from './with-product.ts';

const here = withProduct('data-live');
let study: Study;

beforeAll(async () => {
  study = await makeStudy(here.product, 'living');
});

const streamPath = '/api/v2/events';
const isStream = (request: Request) => new URL(request.url()).pathname === streamPath;

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

const countIn = async (state: string) =>
  (await here.product.client.listExperiments({ query: { state } })).experiments.length;

/** What shows an experiment, each in a tab of its own. */
interface Views {
  page: Page;
  table: Page;
  graph: Page;
}

async function openViews(watcher: Person, id: number, label: string): Promise<Views> {
  const arrived = await countIn('arrived');
  const views = {
    page: await open(watcher, `/experiments/${id}`),
    table: await open(watcher, '/experiments'),
    graph: await open(watcher, `/workflows/${study.workflow.id}`),
  };
  await shows(views.page, 'main h1', new RegExp(label));
  await shows(views.table, 'tr', new RegExp(`${label}.*arrived`));
  await shows(views.graph, 'button', new RegExp(`^arrived${arrived} `));
  return views;
}

/** Until each view shows the experiment in segmenting, where so many are then. */
const showMove = ({ page, table, graph }: Views, label: string, segmenting: number) =>
  Promise.all([
    shows(page, 'main section', /^Where it can go.*segmented/),
    shows(table, 'tr', new RegExp(`${label}.*segmenting`)),
    shows(graph, 'button', new RegExp(`^segmenting${segmenting} `)),
  ]);

/** Returns when the server has moved it. */
async function moveByHand(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'Move to segmenting' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel('Reason').fill('The segmentation may begin.');
  const answered = page.waitForResponse((response) => response.request().method() === 'PUT');
  await dialog.getByRole('button', { name: 'Move', exact: true }).click();
  expect((await answered).status()).toBe(200);
}

/** Every request of a person from now on, and how many of them wait for an answer. */
function watchRequests({ context }: Person) {
  const asked: string[] = [];
  let waiting = 0;
  const answered = (request: Request) => void (waiting -= Number(!isStream(request)));
  context.on('request', (request) => {
    asked.push(new URL(request.url()).pathname);
    waiting += Number(!isStream(request));
  });
  context.on('requestfinished', answered);
  context.on('requestfailed', answered);
  return { asked, waiting: () => waiting };
}

it('a move in one browser appears in the other by an event, without a reload or polling: page, table and graph', async () => {
  const id = await study.experiment('watched');
  const [mover, watcher] = [await signedIn(here), await visitor(here)];
  const { asked, waiting } = watchRequests(watcher);
  await watcher.context.clock.install();
  await watcher.page.goto('/');
  await signIn(watcher.page, here.product.account);
  const moving = await open(mover, `/experiments/${id}`);
  const views = await openViews(watcher, id, 'watched');
  // Opening the pages may have set off more requests.
  await watcher.context.clock.runFor(1000);
  await expect.poll(waiting).toBe(0);

  asked.length = 0;
  // A page that polls to be right within a second asks several times in five.
  await watcher.context.clock.runFor(5000);
  expect(asked).toEqual([]);

  const segmenting = await countIn('segmenting');
  await moveByHand(moving);
  await showMove(views, 'watched', segmenting + 1);
  // Data only: no document, no script, and no second stream of events.
  expect(asked.filter((path) => !path.startsWith('/api/v2/') || path === streamPath)).toEqual([]);
  expect([...mover.complaints, ...watcher.complaints]).toEqual([]);
});

it(
  'a move in one browser is right in the other within a second, in the median of five',
  { tags: ['nightly'] },
  async () => {
    const [mover, watcher] = [await signedIn(here), await signedIn(here)];
    const seen: number[] = [];
    for (const label of ['timed-1', 'timed-2', 'timed-3', 'timed-4', 'timed-5']) {
      const id = await study.experiment(label);
      const moving = await open(mover, `/experiments/${id}`);
      const views = await openViews(watcher, id, label);
      const segmenting = await countIn('segmenting');
      await moveByHand(moving);
      const moved = performance.now();
      await showMove(views, label, segmenting + 1);
      seen.push(performance.now() - moved);
      for (const page of [moving, ...Object.values(views)]) await page.close();
    }
    console.log(`right in the other browser after ${seen.map((ms) => `${Math.round(ms)} ms`).join(', ')}`);
    expect(seen.toSorted((a, b) => a - b)[2]).toBeLessThan(1000);
  },
);

it('eight tabs work at once and share one stream of events', async () => {
  const person = await signedIn(here);
  let streams = 0;
  person.context.on('request', (request) => (streams += Number(isStream(request))));
  const tabs = [];
  for (let number = 0; number < 8; number++) tabs.push(await open(person, '/experiments'));
  await study.experiment('late');
  await Promise.all(tabs.map((tab) => tab.getByRole('row', { name: /late/ }).waitFor()));
  expect(streams).toBeLessThanOrEqual(1);
  expect(person.complaints).toEqual([]);
});
