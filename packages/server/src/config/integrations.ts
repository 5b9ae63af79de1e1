/** The settings for callbacks and mail. Without them, callbacks open no connection, run no program and send no mail. */
import { isAbsolute } from 'node:path';
import { readAllowedTarget, type AllowedTarget } from './targets.ts';

export interface MailServer {
  /** TLS from the first byte. Otherwise STARTTLS is used if the server offers it. */
  secure: boolean;
  host: string;
  port: number;
  user: string;
  password: string;
}

export const splitList = (value: string): string[] =>
  value
    .split(',')
    .map((part) => part.trim())
    .filter(Boolean);

export const allowedTargets = (value: string): AllowedTarget[] => splitList(value).map(readAllowedTarget);

/** `check=/opt/study/check.py, convert=/usr/bin/dcm2niix`. */
export function programs(value: string): ReadonlyMap<string, string> {
  const found = new Map<string, string>();
  for (const part of splitList(value)) {
    const [, name, path = ''] = /^([\w.-]+)\s*=\s*(.+)$/.exec(part) ?? [];
    if (name === undefined || !isAbsolute(path)) {
      throw new Error(`"${part}" must be a name and an absolute path, such as check=/opt/study/check.py`);
    }
    if (found.has(name)) throw new Error(`the name "${name}" appears twice`);
    found.set(name, path);
  }
  return found;
}

const absolute = (example: string) => (value: string) => {
  if (value !== '' && !isAbsolute(value)) throw new Error(`it must be an absolute path such as ${example}`);
  return value || undefined;
};

export const folder = absolute('/srv/milepost/tasks');
export const file = absolute('/etc/milepost/checkpoint-key.pem');

/** `smtp://mail.example.org:25`, `smtps://user:secret@mail.example.org`. */
export function mailServer(value: string): MailServer | undefined {
  if (value === '') return undefined;
  const url = URL.parse(value);
  const secure = url?.protocol === 'smtps:';
  if (
    !url ||
    !/^smtps?:\/\/./.test(value) ||
    url.hostname === '' ||
    !/^\/?$/.test(url.pathname + url.search + url.hash)
  ) {
    throw new Error('it must be a URL such as smtp://mail.example.org:25 or smtps://user:secret@mail.example.org');
  }
  return {
    secure,
    host: url.hostname.replace(/^\[(.*)\]$/, '$1'),
    port: Number(url.port) || (secure ? 465 : 587),
    user: decodeURIComponent(url.username),
    password: decodeURIComponent(url.password),
  };
}
