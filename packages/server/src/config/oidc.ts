/** The settings of single sign-on: one provider of OpenID Connect, and which of its claims give which roles. */
import { listed } from './outside.ts';
import { isLoopback } from './loopback.ts';

export interface OidcProvider {
  /** Exactly as the provider writes it in its tokens. */
  issuer: string;
  clientId: string;
  clientSecret: string;
  /** What the page of sign-in calls it. */
  name: string;
  scopes: string;
  /** Empty: no claim gives roles. */
  roleClaim: string;
  /** By the value of the claim, the role. */
  roles: ReadonlyMap<string, string>;
}

const text = (value: string) => value.trim();
const asItIs = (value: string) => value;

export const oidcSettings = {
  MILEPOST_OIDC_ISSUER: {
    about: 'The provider of single sign-on, exactly as it names itself; without it there is none.',
    fallback: '',
    read: issuer,
  },
  MILEPOST_OIDC_CLIENT_ID: { about: 'What the provider calls this server.', fallback: '', read: text },
  MILEPOST_OIDC_CLIENT_SECRET: { about: 'The secret of this server at the provider.', fallback: '', read: asItIs },
  MILEPOST_OIDC_NAME: { about: 'What the page of sign-in calls the provider.', fallback: 'single sign-on', read: text },
  MILEPOST_OIDC_SCOPES: { about: 'What the provider is asked for.', fallback: 'openid profile email', read: scopes },
  MILEPOST_OIDC_ROLE_CLAIM: { about: 'The claim that gives roles.', fallback: '', read: text },
  MILEPOST_OIDC_ROLES: {
    about: 'Which value of the claim gives which role: value=role, separated by commas.',
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
    throw new Error('an address such as https://id.example.org/realms/hospital is needed');
  }
  if (!isTrustworthy(url)) throw new Error('it must begin with https, unless it is on this machine');
  return value;
}

/** What nobody on the way can change: https, or this machine. */
export const isTrustworthy = ({ protocol, hostname }: URL): boolean =>
  protocol === 'https:' || (protocol === 'http:' && isLoopback(hostname.replace(/^\[(.*)\]$/, '$1')));

function scopes(value: string): string {
  const words = value.split(/[\s,]+/).filter(Boolean);
  if (!words.includes('openid')) throw new Error('the scope openid must be among them');
  return words.join(' ');
}

/** `milepost-admins=admin, mri=superuser`. The last equals sign counts: values may hold others. */
function roles(value: string): ReadonlyMap<string, string> {
  const found = new Map<string, string>();
  for (const pair of listed(value)) {
    const [, claimed = '', role = ''] = /^(.+?)\s*=\s*([^=]+)$/.exec(pair) ?? [];
    if (claimed === '') throw new Error(`"${pair}" is not a value and a role, such as milepost-admins=admin`);
    if (found.has(claimed)) throw new Error(`the value "${claimed}" stands there twice`);
    found.set(claimed, role);
  }
  return found;
}

/** What is missing or does not go together. */
export function oidcFaults(values: Values, publicUrl: string | undefined): string[] {
  const { MILEPOST_OIDC_ISSUER: provider, MILEPOST_OIDC_ROLE_CLAIM: claim, MILEPOST_OIDC_ROLES: map } = values;
  if (!provider) return [];
  const needed = ['MILEPOST_OIDC_CLIENT_ID', 'MILEPOST_OIDC_CLIENT_SECRET', 'MILEPOST_OIDC_NAME'] as const;
  const faults = needed.filter((name) => values[name] === '').map((name) => `${name} must be set`);
  if ((claim === '') !== (map?.size === 0)) {
    faults.push('MILEPOST_OIDC_ROLE_CLAIM and MILEPOST_OIDC_ROLES must both be set, or neither');
  }
  const url = URL.parse(publicUrl ?? '');
  if (!publicUrl) faults.push('MILEPOST_PUBLIC_URL must be set to the address to which the provider sends people back');
  else if (url && !isTrustworthy(url)) faults.push('MILEPOST_PUBLIC_URL must begin with https');
  return faults.map((fault) => `MILEPOST_OIDC_ISSUER is set: ${fault}.`);
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
