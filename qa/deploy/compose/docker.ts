/**
 * Plays `docker compose exec`, `run`, `stop` and `up` with podman, so that the check can run the commands of the documentation as they
 * are written.
 */
import { spawnSync } from 'node:child_process';
import { readCompose } from './compose-file.ts';
import { Containers } from './podman.ts';

const { COMPOSE_FOLDER = '', COMPOSE_PROJECT_NAME = '' } = process.env;
const [, verb = '', ...rest] = process.argv.slice(2);
const [service = '', ...words] = rest.filter((word) => !['-T', '--rm', '--detach'].includes(word));

const variables = Object.fromEntries(Object.entries(process.env).map(([name, value = '']) => [name, value]));
const containers = new Containers(readCompose(COMPOSE_FOLDER, variables), COMPOSE_FOLDER, COMPOSE_PROJECT_NAME);

const verbs: Record<string, () => string[]> = {
  exec: () => ['exec', '--interactive', containers.name(service), ...words],
  run: () => containers.runWords(service, words),
  stop: () => ['stop', ...[service, ...words].map(containers.name)],
  up: () => ['start', ...[service, ...words].map(containers.name)],
};
const podmanWords = verbs[verb]?.();
if (!podmanWords) throw new Error(`docker compose ${verb} is not supported here.`);
process.exitCode = spawnSync('podman', podmanWords, { stdio: 'inherit' }).status ?? 1;
