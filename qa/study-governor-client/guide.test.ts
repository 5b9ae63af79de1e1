import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { scriptOf } from './guide.ts';

const server = { url: 'http://127.0.0.1:4711', password: 'secret' };
const connect = '```python\nconnect("http://127.0.0.1:8080", "the-printed-password")\n```\n';

describe('scriptOf', () => {
  it('joins the Python blocks and replaces the address and the password', () => {
    const guide = `# Guide\n\n${connect}\n\`\`\`sh\nls\n\`\`\`\n\n\`\`\`python\nprint(1)\n\`\`\`\n`;
    expect(scriptOf(guide, server)).toBe('connect("http://127.0.0.1:4711", "secret")\n\nprint(1)\n');
  });

  it.each(['http://127.0.0.1:8080', 'the-printed-password'])('rejects a guide without %s', (text) => {
    const guide = connect.replace(text, 'other');
    expect(() => scriptOf(guide, server)).toThrow(`The Python blocks of the guide do not contain ${text}.`);
  });

  it('finds every Python block of the guide', () => {
    const guide = readFileSync(new URL('../../docs/how-to/study-governor-client.md', import.meta.url), 'utf8');
    const script = scriptOf(guide, server);
    expect(guide.match(/^```python$/gm)).toHaveLength(5);
    expect(script.split('\n')).toEqual(
      expect.arrayContaining([
        'import studyclient',
        'workflow = """',
        'print(experiment.state.label)',
        'print(refused.json()["error"]["detail"])',
        'print(dict(subject.raw_external_ids))',
      ]),
    );
  });
});
