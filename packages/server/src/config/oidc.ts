/** The settings of single sign-on: one OpenID Connect provider, and the roles for the values of a claim. */
import { splitList } from './integrations.ts';
import { isLoopback } from './loopback.ts';

export interface OidcProvider {
  /** Exactly as it appears in the provider's tokens. */
  issuer: string;
  clientId: string;
  clientSecret: string;
  /** The name on the sign-in page. */
  name: string;
  scopes: string;
  /** If empty, no claim determines roles. */
  roleClaim: string;
  /** The role for each value of the claim. */
  roles: ReadonlyMap<string, string>;
}

const text = (value: string) => value.trim();
const unchanged = (value: string) => value;

export const oidcSettings = {
  MILEPOST_OIDC_ISSUER: {
    about: 'The issuer URL of the single sign-on provider. If empty, single sign-on is off.',
    fallback: '',
    read: issuer,
  },
  MILEPOST_OIDC_CLIENT_ID: { about: 'The client ID of this server.', fallback: '', read: text },
  MILEPOST_OIDC_CLIENT_SECRET: { about: 'The client secret of this server.', fallback: '', read: unchanged },
  MILEPOST_OIDC_NAME: { about: "The provider's name on the sign-in page.", fallback: 'single sign-on', read: text },
  MILEPOST_OIDC_SCOPES: { about: 'The scopes to request.', fallback: 'openid profile email', read: scopes },
  MILEPOST_OIDC_ROLE_CLAIM: { about: 'The claim that determines roles.', fallback: '', read: text },
  MILEPOST_OIDC_ROLES: {
    about: 'The role for each value of the claim, as value=role, separated by commas.',
    fallback: '',
    read: roles,
  },
} as const;

type Values = { [N in keyof typeof oidcSettings]: ReturnType<(typeof oidcSettings)[N]['read']> };

function issuer(value: string): string {
  if (value === '') return '';
  const url = URL.parse(value);
  const isPlain = url && !url.search && !url.hash && !url.username && !url.password && value.length <= 255;
  if (!isPlain || !/^https?:\/\/[^\s/]/.test(value)) {
    throw new Error('it must be a URL such as https://id.example.org/realms/hospital');
  }
  if (!isSecureUrl(url)) throw new Error('it must use https, unless the provider is on this machine');
  return value;
}

/** Whether nobody can change the traffic: with https, or on this machine. */
export const isSecureUrl = ({ protocol, hostname }: URL): boolean =>
  protocol === 'https:' || (protocol === 'http:' && isLoopback(hostname.replace(/^\[(.*)\]$/, '$1')));

function scopes(value: string): string {
  const words = value.split(/[\s,]+/).filter(Boolean);
  if (!words.includes('openid')) throw new Error('it must include the scope openid');
  return words.join(' ');
}

/** `milepost-admins=admin, mri=superuser`. Splits at the last equals sign, because values can contain others. */
function roles(value: string): ReadonlyMap<string, string> {
  const found = new Map<string, string>();
  for (const pair of splitList(value)) {
    const [, claimed = '', role = ''] = /^(.+?)\s*=\s*([^=]+)$/.exec(pair) ?? [];
    if (claimed === '') throw new Error(`"${pair}" must be a value and a role, such as milepost-admins=admin`);
    if (found.has(claimed)) throw new Error(`the value "${claimed}" appears twice`);
    found.set(claimed, role);
  }
  return found;
}

const issuerSetting = 'MILEPOST_OIDC_ISSUER';

/** Errors about missing or contradictory settings. */
export function oidcFaults(values: Values, publicUrl: string | undefined): string[] {
  const { MILEPOST_OIDC_ISSUER: provider, MILEPOST_OIDC_ROLE_CLAIM: claim, MILEPOST_OIDC_ROLES: map } = values;
  if (!provider) return [];
  const required = ['MILEPOST_OIDC_CLIENT_ID', 'MILEPOST_OIDC_CLIENT_SECRET', 'MILEPOST_OIDC_NAME'] as const;
  const faults = required
    .filter((name) => values[name] === '')
    .map((name) => `${name} is required with ${issuerSetting}.`);
  if ((claim === '') !== (map?.size === 0)) {
    faults.push('MILEPOST_OIDC_ROLE_CLAIM and MILEPOST_OIDC_ROLES must both be set, or both be empty.');
  }
  const url = URL.parse(publicUrl ?? '');
  if (!publicUrl) {
    faults.push(`MILEPOST_PUBLIC_URL is required with ${issuerSetting}, because the provider redirects users to it.`);
  } else if (url && !isSecureUrl(url)) faults.push(`MILEPOST_PUBLIC_URL must use https with ${issuerSetting}.`);
  return faults;
}

export const shapeOidc = (values: Values): OidcProvider | undefined =>
  values.MILEPOST_OIDC_ISSUER === ''
    ? undefined
    : {
        issuer: values.MILEPOST_OIDC_ISSUER,
        clientId: values.MILEPOST_OIDC_CLIENT_ID,
        clientSecret: values.MILEPOST_OIDC_CLIENT_SECRET,
        name: values.MILEPOST_OIDC_NAME,
        scopes: values.MILEPOST_OIDC_SCOPES,
        roleClaim: values.MILEPOST_OIDC_ROLE_CLAIM,
        roles: values.MILEPOST_OIDC_ROLES,
      };
