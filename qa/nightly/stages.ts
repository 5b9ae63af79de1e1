/** The stages beyond the gate: tests that assert durations, tests at full size, and a new seed. Short stages come first. */

export interface NightlyStage {
  name: string;
  what: string;
  command: readonly string[];
  /** Set for programs that take the seed as an argument. The others read MILEPOST_TEST_SEED. */
  seedFlag?: '--seed';
  env?: Readonly<Record<string, string>>;
}

const npm = (...words: string[]) => ['npm', 'run', '--silent', ...words];
const faults = (name: string, what: string): NightlyStage => ({
  name,
  what,
  command: npm('qa', '--', name, '--keep'),
  seedFlag: '--seed',
});

export const stages: readonly NightlyStage[] = [
  {
    name: 'timed-tests',
    what: 'tests that assert a duration, and large inputs at full size',
    command: [
      'vitest',
      'run',
      '--project=pure',
      '--project=interface',
      '--project=system',
      '--tags-filter=nightly && !planted',
      // One file at a time, so that other tests do not affect the measured times.
      '--no-file-parallelism',
    ],
  },
  { name: 'deploy', what: 'the files in `deploy`, checked by the programs that read them', command: npm('qa:deploy') },
  {
    name: 'chart',
    what: 'the Helm chart, rendered and valid for three versions of Kubernetes',
    command: npm('qa:chart'),
  },
  { name: 'monitoring', what: 'the dashboard and the alerts on a real Prometheus', command: npm('qa:monitoring') },
  {
    name: 'pgbackrest',
    what: 'a restore to a point in time with pgBackRest, under load',
    command: npm('qa:restore', 'plain', 'pgbackrest'),
  },
  { name: 'pack', what: 'the package that the browser tests install', command: npm('pack') },
  {
    name: 'image',
    what: 'the image, and the containers of deploy/compose with the demo, a replacement under load, a backup and a restore',
    command: ['bash', '-c', 'bases=$(qa/deploy/images/build) && eval "$bases" && npm run --silent qa:image'],
  },
  {
    name: 'chart-containers',
    what: 'the containers of the Helm chart with the image, run by podman as they are rendered',
    command: ['qa/deploy/try-chart'],
  },
  {
    name: 'timed-pages',
    what: 'the same in the browser',
    command: ['vitest', 'run', '--project=browser', '--tags-filter=nightly'],
  },
  {
    name: 'generated-clients',
    what: 'ten operations with a generated Python and a generated TypeScript client',
    command: npm('qa:generated-clients'),
  },
  {
    name: 'pure-tests',
    what: 'the pure tests of the gate with a new seed',
    command: ['vitest', 'run', '--project=pure', '--tags-filter=!nightly'],
  },
  faults('race', '2,000 rounds of 50 clients'),
  faults('timeouts', '100 rounds of 8 callers'),
  faults('sigterm', '50 shutdowns under load'),
  faults('lost-worker', '50 runs of each lost worker'),
  faults('imports', '100 imports under kill -9'),
  { name: 'upgrade', what: 'the previous schema upgraded under load', command: npm('qa:upgrade') },
  {
    name: 'upgrades-under-load',
    what: 'a workflow upgraded 100 times while experiments move',
    command: ['vitest', 'run', '--project=system', 'packages/server/src/engine/workflows/upgrade-under-load'],
    env: { MILEPOST_TEST_UPGRADES: '100' },
  },
  {
    name: 'queries',
    what: '10,000 random queries and 10,000 mutated texts of the search',
    command: ['vitest', 'run', '--project=interface', 'packages/server/src/routes/screens/experiment-search'],
    env: { MILEPOST_TEST_QUERIES: '10000' },
  },
  {
    name: 'insights',
    what: 'the figures of 100,000 experiments compared with slow queries',
    command: ['vitest', 'run', '--project=interface', 'packages/server/src/routes/insights/insights.interface'],
    env: { MILEPOST_TEST_STAYS: '100000' },
  },
  {
    name: 'study-governor-client',
    what: "every method of Study Governor's Python client, and the code of its guide",
    command: npm('qa:study-governor-client'),
  },
  {
    name: 'fuzz',
    what: 'Schemathesis, a thousand cases per operation',
    command: npm('fuzz', '--'),
    seedFlag: '--seed',
  },
  { name: 'fuzz-planted', what: 'planted bugs that fuzzing must find', command: npm('fuzz:planted') },
  { name: 'walks-planted', what: 'planted bugs that walks must find', command: npm('walks:planted') },
  { name: 'faults-planted', what: 'planted bugs that the fault checkers must find', command: npm('qa:planted') },
  faults('database', '20 postmaster kills, 500 closed connections'),
  faults('outages', '30 outages of the database, 5 to 120 s each'),
  faults('link', 'slow, reset and dead database links, 10 rounds each'),
  faults('kills', '200 kills, 90,000 moves'),
  {
    name: 'postgresql-15',
    what: 'all interface and system tests on the oldest supported PostgreSQL',
    command: [
      '.ci/on-oldest-postgres',
      'vitest',
      'run',
      '--project=interface',
      '--project=system',
      '--tags-filter=!nightly',
    ],
  },
  { name: 'benchmarks', what: 'all benchmarks of docs/explanation/scale.md', command: npm('bench') },
  faults('walks', '20,000 random walks against the model'),
];

/** All stages, or those with these names. */
export function stagesNamed(names: readonly string[] | undefined): readonly NightlyStage[] {
  const unknown = names?.find((name) => !stages.some((stage) => stage.name === name));
  if (unknown !== undefined) {
    throw new Error(`Unknown stage "${unknown}". Stages: ${stages.map(({ name }) => name).join(', ')}.`);
  }
  return names ? stages.filter(({ name }) => names.includes(name)) : stages;
}
