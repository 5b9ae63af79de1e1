/** The simulated archive: finds sessions, checks them against the protocol, asks sites to send missing series again. */
import { withFailures, type Step } from './failures.ts';
import { between, fate } from './fate.ts';
import { createReports } from './reports.ts';
import { serveJson } from './serve-json.ts';

const scanners = ['Prisma', 'Ingenia', 'Discovery MR750', 'Skyra'];
const series = ['FLAIR', 'T2', 'DTI', 'fMRI'];

const find: Step = (session) => ({
  scanner: scanners[between(0, scanners.length - 1, fate('scanner', session))] ?? '',
  series: between(5, 9, fate('series', session)),
});

const results: Step = (session) => ({ location: `/archive/derived/${session}` });

export async function startArchive() {
  const reports = createReports();
  const resends = new Map<string, number>();

  const protocol: Step = (session) => ({
    deviation: fate('deviation', session) < 0.02,
    missing: missing(session, resends.get(session) ?? 0),
  });
  const resend: Step = (session, _time, { report_to: to, secret }) => {
    const count = (resends.get(session) ?? 0) + 1;
    // Some sites do not respond; the callback then times out.
    if (fate('silent site', session, count) < 0.1) return { asked: true };
    resends.set(session, count);
    reports.sendLater(between(6000, 20_000, fate('resend', session, count)), String(to), {
      status: 'finished',
      result: 'success',
      result_values: { resends: count },
      secret_key: String(secret),
    });
    return { asked: true };
  };
  const steps = {
    'sessions/find': find,
    'sessions/protocol': protocol,
    'sessions/resend': resend,
    'sessions/results': results,
  };
  const errors = { 'sessions/results': 'The project is read-only for this session.' };
  const server = await serveJson(withFailures({ steps, errors }));
  return {
    origin: server.origin,
    stop: async () => {
      await reports.stop();
      await server.stop();
    },
  };
}

const missing = (session: string, resends: number): string[] =>
  fate('missing', session, resends) < 0.12 ? [series[between(0, series.length - 1, fate('which', session))] ?? ''] : [];
