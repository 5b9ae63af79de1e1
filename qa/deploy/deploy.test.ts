/** The files in `deploy` name settings, metrics and commands that exist. */
import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { fromRoot } from '../../tools/printed-file.ts';

const read = (file: string) => readFileSync(fromRoot(file), 'utf8');
const files = readdirSync(fromRoot('deploy'), { recursive: true, withFileTypes: true })
  .filter((entry) => entry.isFile())
  .map(({ parentPath, name }) => `${parentPath}/${name}`.slice(fromRoot('').length));
const filesIn = (folder: string) => files.filter((file) => file.startsWith(`deploy/${folder}/`));

const unique = (names: readonly string[]) => [...new Set(names)].toSorted();
const namesIn = (text: string, pattern: RegExp) => unique(Array.from(text.matchAll(pattern), ([name]) => name));

describe('the files in deploy', () => {
  it('name only settings that the reference describes', () => {
    const settings = new Set(namesIn(read('docs/reference/settings.md'), /\b(?:MILEPOST|DATABASE)_[A-Z_]+\b/g));
    const named = files.flatMap((file) => namesIn(read(file), /\b(?:MILEPOST|DATABASE)_[A-Z_]+\b/g));
    expect(named.length).toBeGreaterThan(5);
    expect(unique(named).filter((name) => !settings.has(name.replace(/_FILE$/, '')) && !settings.has(name))).toEqual(
      [],
    );
  });

  it('name only metrics that the reference describes', () => {
    const metrics = namesIn(read('docs/reference/metrics.md'), /\bmilepost_[a-z_]+\b/g);
    const named = filesIn('prometheus').flatMap((file) => namesIn(read(file), /\bmilepost_[a-z_]+\b/g));
    expect(named.length).toBeGreaterThan(5);
    const isKnown = (name: string) =>
      metrics.includes(name) || metrics.includes(name.replace(/_(?:count|sum|bucket)$/, ''));
    expect(unique(named).filter((name) => !isKnown(name))).toEqual([]);
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
