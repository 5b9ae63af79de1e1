/** What every screen shows while its data are on the way, when they do not come, and to whom may not see them. */
import type { Locator, Page, Route } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { signedIn, type Person } from './chromium.ts';
import { expectVisible } from './expect-visible.ts';
import { makeScreens, type Screen } from './screens.ts';
import { withProduct } from './with-product.ts';

const here = withProduct('data-states');
let person: Person;
let screens: Screen[];
let tabs: Page[];

beforeAll(async () => {
  person = await signedIn(here);
});

/** What the pages need before they show anything of their own. */
const isOfTheFrame = (url: string) => /\/api\/v2\/(?:session|events|attention\?limit=0)\b/.test(url);

/** Opens a screen while `answer` stands between it and its data. */
async function open(tab: Page, { path }: Screen, answer: (route: Route) => unknown): Promise<void> {
  await tab.route('**/api/v2/**', (route) => (isOfTheFrame(route.request().url()) ? route.continue() : answer(route)));
  await tab.goto(path);
}

/** Visits all screens, in six tabs at a time. */
async function onEach(visit: (tab: Page, screen: Screen) => Promise<void>): Promise<void> {
  const waiting = [...screens];
  const visitNext = async (tab: Page) => {
    for (let screen = waiting.shift(); screen; screen = waiting.shift()) {
      await visit(tab, screen).catch((error: unknown) => {
        throw new Error(`on the screen ${screen?.name}`, { cause: error });
      });
      await tab.unrouteAll({ behavior: 'ignoreErrors' });
    }
  };
  await Promise.all(tabs.map(visitNext));
}

const refusal = (status: number, title: string) => (route: Route) => {
  const problem = {
    type: 'about:blank',
    status,
    title,
    detail: 'So it was decided.',
    code: 'x',
    errors: [],
    request_id: 'r-4711',
  };
  return route.fulfill({ status, contentType: 'application/problem+json', body: JSON.stringify(problem) });
};

/** A button goes when its answer is there, and may take others with it, which can then no longer be pressed. */
async function pressAll(buttons: Locator): Promise<void> {
  await expect
    .poll(async () => {
      for (const button of await buttons.elementHandles()) await button.click().catch(() => undefined);
      return buttons.count();
    })
    .toBe(0);
}

it('a study without anything says on every list what it is for', async () => {
  const { page, complaints } = person;
  for (const path of ['/', '/workflows', '/experiments', '/cohorts', '/external_systems']) {
    await page.goto(path);
    await expectVisible(page.getByRole('main').getByText(/^(?:Nobody is needed here|No |There (?:is|are) no)/));
  }
  expect(complaints).toEqual([]);
});

const expectAlert = (tab: Page, text: string) =>
  expectVisible(tab.getByRole('main').getByRole('alert').getByText(text));

describe('every screen', () => {
  beforeAll(async () => {
    screens = await makeScreens(here.product, 'showing');
    tabs = await Promise.all(Array.from({ length: 6 }, () => person.context.newPage()));
  });
  afterAll(() => Promise.all(tabs.map((tab) => tab.close())));

  it('says what it loads, then that the server failed, with the number of the request, and comes back by "Try again"', async () => {
    await onEach(async (tab, screen) => {
      const isLoading = Promise.withResolvers<void>();
      await open(tab, screen, async (route) => {
        await isLoading.promise;
        await refusal(500, 'Internal server error')(route);
      });
      const main = tab.getByRole('main');
      await expectVisible(main.getByText(/^Loading (?!Milepost).+…$/));
      isLoading.resolve();
      await expectVisible(main.getByRole('alert').getByText('r-4711'));
      await tab.unrouteAll({ behavior: 'ignoreErrors' });
      await pressAll(main.getByRole('alert').getByRole('button', { name: 'Try again' }));
      await expectVisible(main.getByText(screen.shows));
    });
  });

  it('says that the server cannot be reached', async () => {
    await onEach(async (tab, screen) => {
      await open(tab, screen, (route) => route.abort('connectionrefused'));
      await expectAlert(tab, 'The server cannot be reached');
    });
  });

  it('says that it is not for everybody', async () => {
    await onEach(async (tab, screen) => {
      await open(tab, screen, refusal(403, 'Not allowed'));
      await expectAlert(tab, 'Not allowed');
    });
  });
});

it.each(['experiments', 'actions', 'callback_executions', 'cohorts', 'subjects', 'workflows', 'users'])(
  'an address of %s that do not exist says so',
  async (collection) => {
    const { page } = person;
    await page.goto(`/${collection}/999999`);
    await expectVisible(page.getByRole('main').getByText(/No .+ has this id|not found|There is no/i));
    await page.goto(`/${collection}/nonsense`);
    await expectVisible(page.getByRole('main').getByText(/not found|There is no|no page/i));
  },
);
