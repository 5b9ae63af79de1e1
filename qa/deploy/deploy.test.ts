/** The files in `deploy` name settings, metrics and commands that exist. */
import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { fromRoot } from '../../tools/printed-file.ts';
import { readCompose } from './compose/compose-file.ts';

const read = (file: string) => readFileSync(fromRoot(file), 'utf8');
const files = readdirSync(fromRoot('deploy'), { recursive: true, withFileTypes: true })
  .filter((entry) => entry.isFile())
  .map(({ parentPath, name }) => `${parentPath}/${name}`.slice(fromRoot('').length));
const filesIn = (folder: string) => files.filter((file) => file.startsWith(`deploy/${folder}/`));

const unique = (names: readonly string[]) => [...new Set(names)].toSorted();
const namesIn = (text: string, pattern: RegExp) => unique(Array.from(text.matchAll(pattern), ([name]) => name));

describe('the files in deploy', () => {
  it('name only settings that the reference describes', () => {
    const settings = new Set(namesIn(read('docs/reference/settings.md'), /\b(?:MILEPOST|DATABASE)_[A-Z_]*[A-Z]\b/g));
    const named = files.flatMap((file) => namesIn(read(file), /\b(?:MILEPOST|DATABASE)_[A-Z_]*[A-Z]\b/g));
    expect(named.length).toBeGreaterThan(5);
    const isKnown = (name: string) =>
      [name, name.replace(/_FILE$/, ''), `${name}_FILE`].some((one) => settings.has(one));
    expect(unique(named).filter((name) => !isKnown(name))).toEqual([]);
  });

  it('name only metrics that the reference describes', () => {
    const metrics = namesIn(read('docs/reference/metrics.md'), /\bmilepost_[a-z_]+\b/g);
    const named = [...filesIn('prometheus'), ...filesIn('grafana')].flatMap((file) =>
      namesIn(read(file), /\bmilepost_[a-z_]+\b/g),
    );
    expect(named.length).toBeGreaterThan(5);
    const isKnown = (name: string) =>
      metrics.includes(name) || metrics.includes(name.replace(/_(?:count|sum|bucket)$/, ''));
    expect(unique(named).filter((name) => !isKnown(name))).toEqual([]);
  });

  it('have an alert over hours for tasks that run too rarely for the one over 15 minutes', () => {
    const page = read('docs/reference/metrics.md');
    const tasks = Array.from(page.matchAll(/^\| `(\w+)` \| (\d+) s \|/gm), ([, name = '', every]) => ({ name, every }));
    const rare = tasks.filter(({ every }) => Number(every) * 4 > 900).map(({ name }) => name);
    expect(rare.toSorted()).toEqual(['markResting', 'removeOutdated']);
    expect(read('deploy/prometheus/alerts.yaml')).toContain(`{task=~"${rare.toSorted().join('|')}"}[3h]`);
  });

  it('name the version of the package and of Node', () => {
    const { version } = JSON.parse(read('packages/milepost/package.json')) as { version: string };
    const node = /^node_version=(.+)$/m.exec(read('setup'))?.[1];
    const containerfile = read('deploy/image/Containerfile');
    expect(namesIn(containerfile, /^ARG VERSION=.*$/gm)).toEqual([`ARG VERSION=${version}`]);
    expect(containerfile).toContain(`/node:${node}-`);
    expect(read('deploy/compose/compose.yaml')).toContain(`milepost:${version}}`);
  });

  it('give each container only secrets that exist', () => {
    const { services, secrets } = readCompose(fromRoot('deploy/compose'), { DOMAIN: 'milepost.example.org' });
    const created = new Set(namesIn(read('deploy/compose/create-secrets'), /\b[a-z]+(?:-[a-z]+)+(?= |;)/g));
    const used = unique(Object.values(services).flatMap((service) => service.secrets ?? []));
    expect(used).toEqual(Object.keys(secrets).toSorted());
    expect(used.filter((name) => !created.has(name))).toEqual([]);
    const withOwner = Object.keys(services).filter((name) =>
      services[name]?.secrets?.some((one) => one.includes('owner')),
    );
    expect(withOwner).toEqual(['roles', 'migrate', 'backup']);
  });

  it('run Milepost in containers without privileges', () => {
    const { services } = readCompose(fromRoot('deploy/compose'), { DOMAIN: 'milepost.example.org' });
    for (const [name, command] of Object.entries({ migrate: 'migrate', server: 'serve', worker: 'work' })) {
      const service = services[name];
      expect([service?.command, service?.read_only, service?.cap_drop]).toEqual([[command], true, ['ALL']]);
    }
    expect(Object.keys(services).filter((name) => services[name]?.ports)).toEqual(['proxy']);
  });

  it('rotate the log of every container', () => {
    const { services } = readCompose(fromRoot('deploy/compose'), { DOMAIN: 'milepost.example.org' });
    const withoutLimit = Object.keys(services).filter((name) => !services[name]?.logging?.options['max-size']);
    expect(withoutLimit).toEqual([]);
  });

  it('start commands that exist', () => {
    const started = filesIn('systemd').flatMap((file) => namesIn(read(file), /^ExecStart=.*$/gm));
    expect(started.map((line) => line.split('/').at(-1))).toEqual([
      'milepost migrate',
      'milepost serve',
      'milepost work',
    ]);
  });
});
