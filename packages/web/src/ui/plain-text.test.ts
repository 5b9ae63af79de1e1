import { describe, expect, it } from 'vitest';
import { prettyJson } from './plain-text.tsx';

describe('prettyJson', () => {
  it('indents objects and JSON text', () => {
    const pretty = '{\n  "url": "https://xnat.example.org"\n}';
    expect(prettyJson({ url: 'https://xnat.example.org' })).toBe(pretty);
    expect(prettyJson('{"url":"https://xnat.example.org"}')).toBe(pretty);
  });

  it('returns text that is not JSON unchanged', () => {
    expect(prettyJson('{{not json}}')).toBe('{{not json}}');
  });
});
