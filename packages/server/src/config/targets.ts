/**
 * The target of a URL: scheme, host and port in a normalised form. `http://0x7f.1/`, `http://2130706433/` and
 * `http://[::ffff:127.0.0.1]/` are all 127.0.0.1, port 80. Allowed and requested URLs are normalised by the same code, and
 * connections use the normalised form, so that no other parser can read a URL differently.
 */
import { isIPv6 } from 'node:net';

export interface Target {
  scheme: 'http' | 'https';
  /** A name in lower case without a trailing dot, or an IP address without brackets. */
  host: string;
  port: number;
}

export interface AllowedTarget {
  scheme: Target['scheme'];
  host: string;
  port: number | '*';
}

const defaultPorts = { http: 80, https: 443 };

/** Throws if the URL has parts that a target cannot have. */
export function targetOf(url: URL): Target {
  const scheme = url.protocol.slice(0, -1);
  if (scheme !== 'http' && scheme !== 'https') throw new Error('only http and https are allowed');
  if (url.username || url.password) throw new Error('a username or password in the URL is not allowed');
  return { scheme, host: hostOf(url), port: url.port === '' ? defaultPorts[scheme] : Number(url.port) };
}

function hostOf({ hostname }: URL): string {
  if (hostname.startsWith('[')) return withoutMapping(hostname.slice(1, -1));
  return hostname.replace(/\.$/, '');
}

/** The URL parser writes every IPv4-mapped address as `::ffff:7f00:1`. */
function withoutMapping(address: string): string {
  const [, high, low] = /^::ffff:([0-9a-f]{1,4}):([0-9a-f]{1,4})$/.exec(address) ?? [];
  if (high === undefined || low === undefined) return address;
  const bytes = [high, low].map((part) => Number.parseInt(part, 16)).flatMap((part) => [part >> 8, part & 255]);
  return bytes.join('.');
}

/** `https://xnat.example.org`, `http://127.0.0.1:8089`, or `http://10.1.2.3:*` for every port. */
export function readAllowedTarget(text: string): AllowedTarget {
  const everyPort = text.endsWith(':*');
  const url = URL.parse(everyPort ? text.slice(0, -2) : text);
  if (!url || !/^https?:\/\/[^/]/.test(text)) throw new Error(`"${text}" must be ${example}`);
  if (url.pathname !== '/' || url.search || url.hash || text.endsWith('?') || text.endsWith('#')) {
    throw new Error(`"${text}" must end after the host or port. It must be ${example}`);
  }
  const target = targetOf(url);
  if (target.host.includes('*')) throw new Error(`"${text}" must name a host; only the port can be *`);
  return { ...target, port: everyPort ? '*' : target.port };
}

const example = 'a URL such as https://xnat.example.org or http://10.1.2.3:8080';

/** The host as written in a URL. */
export const bracketed = (host: string) => (isIPv6(host) ? `[${host}]` : host);

export const originOf = ({ scheme, host, port }: Target) => `${scheme}://${bracketed(host)}:${port}`;

export const isAllowed = (target: Target, allowed: readonly AllowedTarget[]): boolean =>
  allowed.some(
    ({ scheme, host, port }) =>
      scheme === target.scheme && host === target.host && (port === '*' || port === target.port),
  );
