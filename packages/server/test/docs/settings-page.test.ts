import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { readMigrationSettings, settings } from '../../src/config.ts';
import { secretSettings } from '../../src/config/secrets.ts';

const page = readFileSync(new URL('../../../../docs/reference/settings.md', import.meta.url), 'utf8');

const ownerSetting = 'MILEPOST_OWNER_DATABASE_URL';

/** Each row of a table: | `NAME` | meaning | default | */
const onPage = (markdown: string) =>
  [...markdown.matchAll(/^\| `(\w+)` \| .+ \| (.+) \|$/gm)].map(([, name, fallback]) => `${name}: ${fallback}`);

function defaultWords(fallback: string | undefined): string {
  if (fallback === undefined) return 'none, it must be set';
  return fallback === '' ? 'empty' : `\`${fallback}\``;
}

const inCode = [
  ...Object.entries(settings).map(([name, { fallback }]) => `${name}: ${defaultWords(fallback)}`),
  `${ownerSetting}: none, \`milepost migrate\` needs it`,
];

const differences = (markdown: string) => ({
  missing: inCode.filter((line) => !onPage(markdown).includes(line)),
  unknown: onPage(markdown).filter((line) => !inCode.includes(line)),
});

describe('docs/reference/settings.md', () => {
  it('lists every setting exactly once, with its default', () => {
    expect(differences(page)).toEqual({ missing: [], unknown: [] });
    expect(onPage(page).toSorted()).toEqual(inCode.toSorted());
  });

  it('names exactly the settings that can be read from a file', () => {
    const section = /## Secrets from files\n(.*?)\n## /s.exec(page)?.[1] ?? '';
    const named = [...section.matchAll(/`(\w+)`/g)].map(([, name = '']) => name);
    expect(named.toSorted()).toEqual(secretSettings.toSorted());
  });

  it('lists MILEPOST_OWNER_DATABASE_URL because migrations require it', () => {
    expect(() => readMigrationSettings({})).toThrow(ownerSetting);
  });
});

describe('the comparison of the settings page with the code', () => {
  it('reports a misspelled setting and a different default', () => {
    const other = page.replace('| `10` |', '| `11` |').replace('| `MILEPOST_HOST` |', '| `MILEPOST_HOAST` |');
    expect(differences(other)).toEqual({
      missing: ['MILEPOST_HOST: `127.0.0.1`', 'MILEPOST_POOL_SIZE: `10`'],
      unknown: ['MILEPOST_POOL_SIZE: `11`', 'MILEPOST_HOAST: `127.0.0.1`'],
    });
  });
});
