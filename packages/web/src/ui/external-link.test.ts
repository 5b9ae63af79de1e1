import { describe, expect, it } from 'vitest';
import { webAddress } from './external-link.tsx';

describe('webAddress', () => {
  it.each(['https://xnat.example.org/data', 'http://10.0.0.5:8080/'])('accepts the web URL %s (V1.2.2)', (url) => {
    expect(webAddress(url)).toBe(url);
  });

  it.each([
    'javascript:alert(1)',
    ' JaVaScRiPt:alert(1)',
    'java\tscript:alert(1)',
    'data:text/html,<script>alert(1)</script>',
    'file:///etc/passwd',
    '//xnat.example.org',
    'xnat.example.org',
    '',
  ])('rejects %j', (url) => {
    expect(webAddress(url)).toBeUndefined();
  });
});
