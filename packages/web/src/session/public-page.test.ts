import { describe, expect, it } from 'vitest';
import { isSecure } from './public-page.tsx';

const at = (url: string) => isSecure(new URL(url));

describe('isSecure', () => {
  it.each([
    'https://milepost.example.org',
    'http://localhost:8080',
    'http://127.0.0.1:8080',
    'http://[::1]:8080',
    'http://a.localhost',
  ])('accepts %s', (url) => expect(at(url)).toBe(true));

  it.each([
    'http://milepost.example.org',
    'http://10.0.0.5:8080',
    'http://localhost.example.org',
    'http://127.0.0.1.example.org',
  ])('rejects %s', (url) => expect(at(url)).toBe(false));
});
