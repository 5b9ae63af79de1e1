import { describe, expect, it } from 'vitest';
import { readConfig } from '../config.ts';

const complete = {
  DATABASE_URL: 'postgresql://app:s3cret-of-mine@localhost/milepost',
  MILEPOST_PUBLIC_URL: 'https://milepost.example.org',
  MILEPOST_OIDC_ISSUER: 'https://id.example.org/realms/hospital',
  MILEPOST_OIDC_CLIENT_ID: 'milepost',
  MILEPOST_OIDC_CLIENT_SECRET: 'canary-of-a-secret',
};
const read = (more: Record<string, string> = {}) => readConfig({ ...complete, ...more }).oidc;

describe('the single sign-on settings', () => {
  it('leave single sign-on off if no issuer is set', () => {
    expect(readConfig({ DATABASE_URL: complete.DATABASE_URL }).oidc).toBeUndefined();
  });

  it('have defaults, map claim values to roles, and accept scopes separated by commas', () => {
    expect(read()).toMatchObject({ name: 'single sign-on', scopes: 'openid profile email', roleClaim: '' });
    const map = { MILEPOST_OIDC_ROLE_CLAIM: 'groups', MILEPOST_OIDC_ROLES: 'cn=heads=admin, mri = superuser' };
    expect([...(read(map)?.roles ?? [])]).toEqual([
      ['cn=heads', 'admin'],
      ['mri', 'superuser'],
    ]);
    expect(read({ MILEPOST_OIDC_SCOPES: 'openid,groups' })?.scopes).toBe('openid groups');
  });

  it.each([
    [{ MILEPOST_OIDC_ISSUER: 'http://id.example.org' }, 'must use https'],
    [{ MILEPOST_OIDC_ISSUER: 'http://127.evil.example' }, 'must use https'],
    [{ MILEPOST_OIDC_ISSUER: 'id.example.org' }, 'a URL such as'],
    [{ MILEPOST_OIDC_ISSUER: 'https://id.example.org?x' }, 'a URL such as'],
    [{ MILEPOST_OIDC_ISSUER: 'https://user@id.example.org' }, 'a URL such as'],
    [{ MILEPOST_OIDC_CLIENT_ID: '' }, 'MILEPOST_OIDC_CLIENT_ID is required'],
    [{ MILEPOST_OIDC_CLIENT_SECRET: '' }, 'MILEPOST_OIDC_CLIENT_SECRET is required'],
    [{ MILEPOST_OIDC_NAME: ' ' }, 'MILEPOST_OIDC_NAME is required'],
    [{ MILEPOST_OIDC_SCOPES: 'profile' }, 'must include the scope openid'],
    [{ MILEPOST_OIDC_ROLE_CLAIM: 'groups' }, 'must both be set'],
    [{ MILEPOST_OIDC_ROLES: 'a=admin' }, 'must both be set'],
    [{ MILEPOST_OIDC_ROLES: 'admin' }, 'must be a value and a role'],
    [{ MILEPOST_OIDC_ROLES: 'a=admin,a=user' }, 'appears twice'],
    [{ MILEPOST_PUBLIC_URL: '' }, 'MILEPOST_PUBLIC_URL is required'],
    [{ MILEPOST_PUBLIC_URL: 'http://milepost.example.org' }, 'MILEPOST_PUBLIC_URL must use https'],
  ])('reject %j', (more, message) => {
    expect(() => read(more as Record<string, string>)).toThrow(message);
    expect(() => read(more as Record<string, string>)).not.toThrow('canary');
  });

  it.each(['http://localhost:8080', 'http://127.0.0.1:8080/realm', 'http://[::1]:8080'])(
    'accept the local issuer %s without https',
    (issuer) => {
      expect(read({ MILEPOST_OIDC_ISSUER: issuer })?.issuer).toBe(issuer);
    },
  );
});
