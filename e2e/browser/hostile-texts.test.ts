/** Hostile names and logs: markup, right-to-left text and 255 characters. Also dates in five time zones. */
import { beforeAll, expect, it } from 'vitest';
import { signedIn, visitor, type Person } from './chromium.ts';
import { expectVisible } from './expect-visible.ts';
import { makeStudy, type Study } from './study.ts';
import { withProduct } from './with-product.ts';

const markup = `<img src=x onerror="window.pwned=1"><script>window.pwned=1</script>`;
const texts = [markup, 'גיל '.repeat(8).trim(), 'W'.repeat(255)];

const env = withProduct('data-hostile');
let person: Person;
/** Each page, and a text that it shows. */
const pages: { path: string; text: string }[] = [];

async function makeHostile(study: Study, text: string): Promise<void> {
  const { client } = env.product;
  const cohort = await client.createCohort({ body: { label: text } });
  const subject = await client.createSubject({ body: { label: text, cohort_label: text } });
  const { id } = await client.createExperiment({
    body: { label: text, subject_id: subject.id, workflow_label: 'hostile', scandate: '2026-03-29' },
  });
  await study.move(id, 'segmenting');
  await client.addNote({ params: { id }, body: { text } });
  const run = await study.claimRun();
  await run.appendLog(`${text}\n${markup}\n\u202e${text}\n`);
  await run.finish('failed', text);
  const { actions } = await client.getExperimentTimeline({ params: { id } });
  const lists = ['/', '/experiments', '/cohorts', `/workflows/${study.workflow.id}`, `/audit?experiment=${id}`];
  const own = [`/cohorts/${cohort.id}`, `/subjects/${subject.id}`, `/experiments/${id}`, `/actions/${actions[0]?.id}`];
  pages.push(...[...lists, ...own, `/callback_executions/${run.executionId}`].map((path) => ({ path, text })));
}

beforeAll(async () => {
  const study = await makeStudy(env.product, 'hostile');
  await env.product.client.createExternalSystem({
    body: { system_name: 'evil', url: 'javascript:window.pwned=1' },
  });
  pages.push({ path: '/external_systems', text: 'javascript:window.pwned=1' });
  for (const text of texts) await makeHostile(study, text);
  person = await signedIn(env);
});

it('shows hostile texts unchanged, runs no scripts and never overflows the window (V1.3.5, V3.2.2)', async () => {
  const { page, pageErrors } = person;
  const wide: string[] = [];
  for (const { path, text } of pages) {
    await page.goto(path);
    for (const width of [1440, 390]) {
      await page.setViewportSize({ width, height: 900 });
      await expectVisible(page.getByRole('main').getByText(text).filter({ visible: true }));
      const isTooWide = await page.evaluate(() => document.documentElement.scrollWidth > window.innerWidth);
      if (isTooWide) wide.push(`${path} at ${width} pixels`);
    }
    expect(await page.evaluate(() => 'pwned' in window)).toBe(false);
    expect(await page.locator('main img, a[href^="javascript:"]').count()).toBe(0);
  }
  expect(wide).toEqual([]);
  expect(pageErrors).toEqual([]);
});

it('shows the same calendar date in five time zones', async () => {
  const zones = ['Pacific/Kiritimati', 'Pacific/Pago_Pago', 'Europe/Amsterdam', 'Asia/Kolkata', 'America/New_York'];
  const experiment = pages.find(({ path }) => path.startsWith('/experiments/'))?.path ?? '';
  const storageState = await person.context.storageState();
  for (const timezoneId of zones) {
    const { page, context } = await visitor(env, { timezoneId, storageState });
    await page.goto(experiment);
    await expectVisible(page.getByRole('main').getByText('2026-03-29'));
    await context.close();
  }
});
