/** Reads deploy/compose/compose.yaml: the part of the Compose format that the file uses. A key that is not listed here is an error. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'yaml';

type Condition = 'service_started' | 'service_healthy' | 'service_completed_successfully';

export interface Service {
  image: string;
  command?: string[];
  entrypoint?: string[];
  user?: string;
  environment?: Record<string, string | number>;
  secrets?: string[];
  volumes?: string[];
  tmpfs?: string[];
  networks: string[] | Record<string, { ipv4_address?: string }>;
  ports?: string[];
  depends_on?: string[] | Record<string, { condition: Condition }>;
  restart: string;
  init?: boolean;
  read_only?: boolean;
  cap_drop?: string[];
  cap_add?: string[];
  security_opt?: string[];
  shm_size?: string;
  mem_limit?: string;
  stop_grace_period?: string;
  logging?: { driver: string; options: Record<string, string> };
  healthcheck?: { test: string[]; interval: string; timeout: string; retries: number; start_period?: string };
}

const serviceKeys: Record<keyof Service, true> = {
  image: true,
  command: true,
  entrypoint: true,
  user: true,
  environment: true,
  secrets: true,
  volumes: true,
  tmpfs: true,
  networks: true,
  ports: true,
  depends_on: true,
  restart: true,
  init: true,
  read_only: true,
  cap_drop: true,
  cap_add: true,
  security_opt: true,
  shm_size: true,
  mem_limit: true,
  stop_grace_period: true,
  logging: true,
  healthcheck: true,
};

export interface Compose {
  name: string;
  services: Record<string, Service>;
  networks: Record<string, { ipam: { config: { subnet: string; gateway: string; ip_range?: string }[] } }>;
  volumes: Record<string, null>;
  secrets: Record<string, { file: string }>;
}

/** `${NAME}`, `${NAME:-default}` and `${NAME:?message}`. */
export function interpolate(text: string, variables: Readonly<Record<string, string>>): string {
  return text.replace(/\$\{(\w+)(?::([-?])([^}]*))?\}/g, (_, name: string, kind?: string, rest = '') => {
    const value = variables[name];
    if (value) return value;
    if (kind === '?') throw new Error(`${name} is not set: ${rest}`);
    return kind === '-' ? rest : '';
  });
}

export function readCompose(folder: string, variables: Readonly<Record<string, string>>): Compose {
  const file: unknown = parse(readFileSync(join(folder, 'compose.yaml'), 'utf8'), { merge: true });
  const compose = JSON.parse(JSON.stringify(file), (_, value: unknown) =>
    typeof value === 'string' ? interpolate(value, variables) : value,
  ) as Compose;
  for (const [name, service] of Object.entries(compose.services)) {
    const unknown = Object.keys(service).filter((key) => !(key in serviceKeys));
    if (unknown.length > 0) throw new Error(`The check does not know ${unknown.join(', ')} of the service ${name}.`);
  }
  return compose;
}

export const conditionsOf = ({ depends_on: on = [] }: Service): Record<string, Condition> =>
  Object.fromEntries(
    Array.isArray(on)
      ? on.map((name) => [name, 'service_started'])
      : Object.entries(on).map(([name, { condition }]) => [name, condition]),
  );
