/** One conformance run against a server that was started on an empty database. */
import { findGaps, mountedOperations } from './coverage.ts';
import { runScenario, type Observations, type World } from './driver.ts';
import { sendTo, type Send } from './exchange.ts';
import { reportOn, type Report } from './report.ts';
import { scenario } from './sections/index.ts';
import { readSpecification } from './specification.ts';

export interface Target {
  /** Where the paths of the specification begin. */
  baseUrl: string;
  insert: World['insert'];
  /** What stands between the run and the server, for tests of the run itself. */
  through?: (send: Send) => Send;
}

export async function runConformance(target: Target): Promise<Report & { observations: Observations }> {
  const { baseUrl, insert, through = (send) => send } = target;
  const specification = readSpecification();
  const document = (await (await fetch(`${baseUrl}/openapi.json`)).json()) as Parameters<typeof mountedOperations>[0];
  const mounted = mountedOperations(document);
  const send = through(sendTo(baseUrl));
  const observations = await runScenario({ specification, send, insert }, scenario);
  const gaps = findGaps(observations, mounted, specification.additions);
  return { observations, ...reportOn(observations, gaps) };
}
