/** Compares the time of a request with many and with few experiments. */
import { few, many, studies } from './large-study.ts';
import { limitOf, measureUse } from './limit.ts';
import { atMost, type Row } from './result.ts';
import { withServer } from './server.ts';
import { compareLatencies } from './steady-load.ts';

export interface SizedRequest {
  name: string;
  path: string;
  /** At most this many times as long with many experiments. */
  goal: number;
}

/** Each study has a server of its own. */
export async function compareSizes({ name, path, goal }: SizedRequest): Promise<Row[]> {
  const { small, large } = await studies();
  const { result, use } = await withServer({ DATABASE_URL: small.appUrl }, (ofSmall) =>
    withServer({ DATABASE_URL: large.appUrl }, (ofLarge) => {
      const processes = { Node: [ofSmall.pid, ofLarge.pid], PostgreSQL: [small.pid, large.pid] };
      const requests = [ofLarge, ofSmall].map(({ baseUrl }) => baseUrl + path);
      return measureUse(large.ownerUrl, processes, () => compareLatencies(names, requests));
    }),
  );
  const unit = `of that with ${shownFew}`;
  return [atMost(goal, { name: `${name}, p95 with ${shownMany} experiments`, unit, ...result, limit: limitOf([use]) })];
}

const [shownFew, shownMany] = [few.toLocaleString('en'), many.toLocaleString('en')];
const names = [`${shownMany} experiments`, `${shownFew} experiments`];
