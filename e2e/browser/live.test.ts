/** Live updates: two browsers show the same study, and eight tabs of one browser share an event stream. */
import type { Page, Request } from 'playwright-core';
import { beforeAll, expect, it } from 'vitest';
import { signedIn, signIn, visitor, type Person } from './chromium.ts';
import { makeStudy, type Study } from './study.ts';
import { withProduct } from './with-product.ts';

const env = withProduct('data-live');
let study: Study;

beforeAll(async () => {
  study = await makeStudy(env.product, 'living');
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

/** Checks every animation frame, because waiting for a locator can be half a second late. */
const shows = (page: Page, selector: string, text: RegExp) =>
  page.waitForFunction(
    ([elements = '', pattern = '']) =>
      [...document.querySelectorAll(elements)].some(({ textContent }) => new RegExp(pattern).test(textContent)),
    [selector, text.source],
    { polling: 'raf' },
  );

const countIn = async (state: string) =>
  (await env.product.client.listExperiments({ query: { state } })).experiments.length;

/** The pages that show an experiment, in one tab each. */
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

/** Waits until each view shows the experiment in `segmenting` and the new count. */
const showMove = ({ page, table, graph }: Views, label: string, segmenting: number) =>
  Promise.all([
    shows(page, 'main section', /^Next states.*segmented/),
    shows(table, 'tr', new RegExp(`${label}.*segmenting`)),
    shows(graph, 'button', new RegExp(`^segmenting${segmenting} `)),
  ]);

/** Moves the experiment with the dialog and waits for the response. */
async function moveManually(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'Move to segmenting' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel('Reason').fill('Ready for segmentation.');
  const responded = page.waitForResponse((response) => response.request().method() === 'PUT');
  await dialog.getByRole('button', { name: 'Move', exact: true }).click();
  expect((await responded).status()).toBe(200);
}

/** Records all requests of a user from now on, and counts the pending ones. */
function watchRequests({ context }: Person) {
  const requested: string[] = [];
  let pending = 0;
  const onResponse = (request: Request) => void (pending -= Number(!isStream(request)));
  context.on('request', (request) => {
    requested.push(new URL(request.url()).pathname);
    pending += Number(!isStream(request));
  });
  context.on('requestfinished', onResponse);
  context.on('requestfailed', onResponse);
  return { requested, pending: () => pending };
}

it('shows a move on the experiment page, table and graph in another browser without reloading or polling', async () => {
  const id = await study.experiment('watched');
  const [mover, watcher] = [await signedIn(env), await visitor(env)];
  const { requested, pending } = watchRequests(watcher);
  await watcher.context.clock.install();
  await watcher.page.goto('/');
  await signIn(watcher.page, env.product.account);
  const moving = await open(mover, `/experiments/${id}`);
  const views = await openViews(watcher, id, 'watched');
  // Opening the pages may have triggered more requests.
  await watcher.context.clock.runFor(1000);
  await expect.poll(pending).toBe(0);

  requested.length = 0;
  // A page that polls every second would send several requests in five seconds.
  await watcher.context.clock.runFor(5000);
  expect(requested).toEqual([]);

  const segmenting = await countIn('segmenting');
  await moveManually(moving);
  await showMove(views, 'watched', segmenting + 1);
  // Data only: no document, no script, and no second event stream.
  expect(requested.filter((path) => !path.startsWith('/api/v2/') || path === streamPath)).toEqual([]);
  expect([...mover.pageErrors, ...watcher.pageErrors]).toEqual([]);
});

it('shows a move in another browser within a second (median of five moves)', { tags: ['nightly'] }, async () => {
  const [mover, watcher] = [await signedIn(env), await signedIn(env)];
  const delays: number[] = [];
  for (const label of ['timed-1', 'timed-2', 'timed-3', 'timed-4', 'timed-5']) {
    const id = await study.experiment(label);
    const moving = await open(mover, `/experiments/${id}`);
    const views = await openViews(watcher, id, label);
    const segmenting = await countIn('segmenting');
    await moveManually(moving);
    const moved = performance.now();
    await showMove(views, label, segmenting + 1);
    delays.push(performance.now() - moved);
    for (const page of [moving, ...Object.values(views)]) await page.close();
  }
  console.log(`shown in the other browser after ${delays.map((ms) => `${Math.round(ms)} ms`).join(', ')}`);
  expect(delays.toSorted((a, b) => a - b)[2]).toBeLessThan(1000);
});

it('shares one event stream among eight tabs', async () => {
  const person = await signedIn(env);
  let streams = 0;
  person.context.on('request', (request) => (streams += Number(isStream(request))));
  const tabs = [];
  for (let number = 0; number < 8; number++) tabs.push(await open(person, '/experiments'));
  await study.experiment('late');
  await Promise.all(tabs.map((tab) => tab.getByRole('row', { name: /late/ }).waitFor()));
  expect(streams).toBeLessThanOrEqual(1);
  expect(person.pageErrors).toEqual([]);
});
