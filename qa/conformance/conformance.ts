/** One conformance run against a server with an empty database. */
import { findGaps, mountedOperations } from './coverage.ts';
import { runScenario, type World } from './driver.ts';
import { sendTo } from './exchange.ts';
import { reportOn, type Report } from './report.ts';
import { scenario } from './sections/index.ts';
import { readSpecification } from './specification.ts';

export interface Target {
  /** The prefix of the specified paths. */
  baseUrl: string;
  insert: World['insert'];
}

export async function runConformance({ baseUrl, insert }: Target): Promise<Report> {
  const specification = readSpecification();
  const document = (await (await fetch(`${baseUrl}/openapi.json`)).json()) as Parameters<typeof mountedOperations>[0];
  const mounted = mountedOperations(document);
  const observations = await runScenario({ specification, send: sendTo(baseUrl), insert }, scenario);
  const gaps = findGaps(observations, mounted, specification.additions);
  return reportOn(observations, gaps);
}
