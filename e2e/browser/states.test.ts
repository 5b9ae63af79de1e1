/** What every screen shows while its data are on the way, when they do not come, and to whom may not see them. */
import type { Locator, Page, Route } from 'playwright-core';
import { beforeAll, describe, expect, it } from 'vitest';
import { startProduct } from '../product.ts';
import { signedIn, type Person } from './chromium.ts';
import { expectVisible } from './expect-visible.ts';
import { makeScreens, type Screen } from './screens.ts';
import { withProduct } from './with-product.ts';

const here = withProduct('data-states');
let screens: Screen[];
let person: Person;

beforeAll(async () => {
  screens = await makeScreens(here.product, 'showing');
  person = await signedIn(here);
});

/** What the pages need before they show anything of their own. */
const isOfTheFrame = (url: string) => /\/api\/v2\/(?:session|events|attention\?limit=0)\b/.test(url);

/** Opens each screen, four at a time, while `answer` stands between it and its data. */
async function onEach(answer: (route: Route) => unknown, look: (page: Page, screen: Screen) => Promise<void>) {
  const { context } = person;
  const waiting = [...screens];
  const openAll = async () => {
    for (let screen = waiting.shift(); screen; screen = waiting.shift()) {
      const page = await context.newPage();
      await page.route('**/api/v2/**', (route) =>
        isOfTheFrame(route.request().url()) ? route.continue() : answer(route),
      );
      await page.goto(screen.path);
      await look(page, screen).catch((error: unknown) => {
        throw new Error(`on the screen ${screen?.name}`, { cause: error });
      });
      await page.close();
    }
  };
  await Promise.all(Array.from({ length: 4 }, openAll));
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

/** Each goes when its answer is there: what was the second is the first then. */
async function pressAll(buttons: Locator): Promise<void> {
  const pressOne = async () => {
    if ((await buttons.count()) > 0)
      await buttons
        .first()
        .click({ timeout: 1000 })
        .catch(() => undefined);
    return buttons.count();
  };
  await expect.poll(pressOne).toBe(0);
}

describe('every screen', () => {
  it('says what it loads while that is on the way', async () => {
    const held: Route[] = [];
    await onEach(
      (route) => held.push(route),
      (page) => expectVisible(page.getByRole('main').getByText(/^Loading (?!Milepost).+…$/)),
    );
    expect(held.length).toBeGreaterThanOrEqual(screens.length);
  });

  it('says that the server failed, with the number of the request, and comes back by "Try again"', async () => {
    await onEach(refusal(500, 'Internal server error'), async (page, { shows }) => {
      const alert = page.getByRole('main').getByRole('alert');
      await expectVisible(alert.getByText('r-4711'));
      await page.unrouteAll({ behavior: 'ignoreErrors' });
      await pressAll(alert.getByRole('button', { name: 'Try again' }));
      await expectVisible(page.getByRole('main').getByText(shows));
    });
  }, 240_000);

  it('says that the server cannot be reached', async () => {
    await onEach(
      (route) => route.abort('connectionrefused'),
      (page) => expectVisible(page.getByRole('main').getByRole('alert').getByText('The server cannot be reached')),
    );
  }, 240_000);

  it('says that it is not for everybody', async () => {
    await onEach(refusal(403, 'Not allowed'), (page) =>
      expectVisible(page.getByRole('main').getByRole('alert').getByText('Not allowed')),
    );
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

it('a study without anything says on every list what it is for', async () => {
  const empty = await startProduct({ data: 'data-empty' });
  try {
    const { page, complaints } = await signedIn({ product: empty, browser: here.browser });
    for (const path of ['/', '/workflows', '/experiments', '/cohorts', '/external_systems']) {
      await page.goto(path);
      await expectVisible(page.getByRole('main').getByText(/^(?:Nobody is needed here|No |There (?:is|are) no)/));
    }
    expect(complaints).toEqual([]);
  } finally {
    await empty.stop();
  }
});
