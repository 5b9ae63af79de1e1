/** The empty, loading, error and forbidden states of every screen. */
import type { Locator, Page, Route } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { signedIn, type Person } from './chromium.ts';
import { expectVisible } from './expect-visible.ts';
import { makeScreens, type Screen } from './screens.ts';
import { withProduct } from './with-product.ts';

const env = withProduct('data-states');
let person: Person;
let screens: Screen[];
let tabs: Page[];

beforeAll(async () => {
  person = await signedIn(env);
});

/** Requests of the frame around the pages. */
const isFrameRequest = (url: string) => /\/api\/v2\/(?:session|events|attention\?limit=0)\b/.test(url);

/** Opens a screen while `respond` handles its data requests. */
async function open(tab: Page, { path }: Screen, respond: (route: Route) => unknown): Promise<void> {
  await tab.route('**/api/v2/**', (route) =>
    isFrameRequest(route.request().url()) ? route.continue() : respond(route),
  );
  await tab.goto(path);
}

/** Visits all screens in six tabs at a time. */
async function onEach(visit: (tab: Page, screen: Screen) => Promise<void>): Promise<void> {
  const waiting = [...screens];
  const visitNext = async (tab: Page) => {
    for (let screen = waiting.shift(); screen; screen = waiting.shift()) {
      await visit(tab, screen).catch((error: unknown) => {
        throw new Error(`Failed on the screen ${screen?.name}`, { cause: error });
      });
      await tab.unrouteAll({ behavior: 'ignoreErrors' });
    }
  };
  await Promise.all(tabs.map(visitNext));
}

const respondWith = (status: number, title: string) => (route: Route) => {
  const problem = {
    type: 'about:blank',
    status,
    title,
    detail: 'A detail of the problem.',
    code: 'x',
    errors: [],
    request_id: 'r-4711',
  };
  return route.fulfill({ status, contentType: 'application/problem+json', body: JSON.stringify(problem) });
};

/**
 * Presses all buttons until the page shows the text and no button is left. A successful retry can remove other buttons before they are
 * clicked, and a request that was sent earlier can still fail and add one.
 */
async function pressUntilShown(buttons: Locator, text: Locator): Promise<void> {
  await expect
    .poll(async () => {
      for (const button of await buttons.elementHandles()) await button.click().catch(() => undefined);
      return { isShown: await text.first().isVisible(), buttons: await buttons.count() };
    })
    .toEqual({ isShown: true, buttons: 0 });
}

it('shows an empty state on every list of an empty study', async () => {
  const { page, pageErrors } = person;
  for (const path of ['/', '/workflows', '/experiments', '/cohorts', '/insights', '/imports', '/external_systems']) {
    await page.goto(path);
    await expectVisible(page.getByRole('main').getByText(/^(?:Nothing needs attention|No .+ yet)/));
  }
  expect(pageErrors).toEqual([]);
});

const expectAlert = (tab: Page, text: string) =>
  expectVisible(tab.getByRole('main').getByRole('alert').getByText(text));

describe('every screen', () => {
  beforeAll(async () => {
    screens = (await makeScreens(env.product, 'showing')).filter(({ isStatic }) => !isStatic);
    tabs = await Promise.all(Array.from({ length: 6 }, () => person.context.newPage()));
  });
  afterAll(() => Promise.all(tabs.map((tab) => tab.close())));

  it('shows that it is loading, then the server error with its request id, and recovers with "Try again"', async () => {
    await onEach(async (tab, screen) => {
      const isLoading = Promise.withResolvers<void>();
      await open(tab, screen, async (route) => {
        await isLoading.promise;
        await respondWith(500, 'Internal server error')(route);
      });
      const main = tab.getByRole('main');
      await expectVisible(main.getByText(/^Loading (?!Milepost).+…$/));
      isLoading.resolve();
      await expectVisible(main.getByRole('alert').getByText('r-4711'));
      await tab.unrouteAll({ behavior: 'ignoreErrors' });
      const buttons = main.getByRole('alert').getByRole('button', { name: 'Try again' });
      await pressUntilShown(buttons, main.getByText(screen.shows));
    });
  });

  it('shows that the server cannot be reached', async () => {
    await onEach(async (tab, screen) => {
      await open(tab, screen, (route) => route.abort('connectionrefused'));
      await expectAlert(tab, 'Cannot reach the server');
    });
  });

  it('shows that the user lacks a permission', async () => {
    await onEach(async (tab, screen) => {
      await open(tab, screen, respondWith(403, 'Not allowed'));
      await expectAlert(tab, 'Not allowed');
    });
  });
});

it.each(['experiments', 'actions', 'callback_executions', 'cohorts', 'subjects', 'workflows', 'users', 'imports'])(
  'shows an error for an unknown or invalid id in /%s',
  async (collection) => {
    const { page } = person;
    await page.goto(`/${collection}/999999`);
    await expectVisible(page.getByRole('main').getByText(/No .+ with id 999999|not found/i));
    await page.goto(`/${collection}/nonsense`);
    await expectVisible(page.getByRole('main').getByText('Page not found'));
  },
);
