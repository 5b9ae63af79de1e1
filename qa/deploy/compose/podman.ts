/**
 * Runs services of compose.yaml with podman, as Docker Compose would: same image, command, user, mounts, limits and addresses. Names
 * of services are resolved by the hosts file, because podman needs an extension for DNS.
 */
import { execFile, execFileSync } from 'node:child_process';
import { resolve } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import { until } from '../../restore/until.ts';
import { conditionsOf, type Compose, type Service } from './compose-file.ts';

const execute = promisify(execFile);

export async function podman(...words: string[]): Promise<string> {
  const { stdout } = await execute('podman', words, { maxBuffer: 2 ** 28 });
  return stdout.trim();
}

const each = (flag: string, values: readonly string[] = []) => values.flatMap((value) => [flag, value]);

export class Containers {
  readonly compose: Compose;
  readonly folder: string;
  /** Begins the name of each container, volume and network. */
  readonly project: string;

  constructor(compose: Compose, folder: string, project: string) {
    this.compose = compose;
    this.folder = folder;
    this.project = project;
  }

  name = (service: string): string => `${this.project}-${service}`;

  service(name: string): Service {
    const service = this.compose.services[name];
    if (!service) throw new Error(`compose.yaml has no service ${name}.`);
    return service;
  }

  /** The address in the file, or the one that Docker gives if services start in their order: the lowest free one of the range. */
  address(name: string): string {
    const dynamic = Object.keys(this.compose.services).filter((other) => this.fixedAddress(other) === undefined);
    const first = Number(/\.(\d+)\//.exec(this.ipam.ip_range ?? '')?.[1] ?? 2);
    return this.fixedAddress(name) ?? this.inside(first + dynamic.indexOf(name));
  }

  private fixedAddress(name: string): string | undefined {
    const { networks } = this.service(name);
    return Array.isArray(networks) ? undefined : Object.values(networks)[0]?.ipv4_address;
  }

  inside = (number: number): string => this.ipam.subnet.replace(/\d+\/\d+$/, String(number));

  private get ipam() {
    const [network] = Object.values(this.compose.networks);
    const [config] = network?.ipam.config ?? [];
    if (!config) throw new Error('compose.yaml has no subnet.');
    return config;
  }

  async createNetwork(): Promise<void> {
    const { subnet, gateway } = this.ipam;
    await podman('network', 'create', '--subnet', subnet, '--gateway', gateway, this.project);
  }

  private mount(volume: string): string {
    const [source = '', ...rest] = volume.split(':');
    const from = source.startsWith('.') ? resolve(this.folder, source) : this.name(source);
    return [from, ...rest].join(':');
  }

  private flags(service: Service): string[] {
    const { environment = {}, secrets = [], volumes = [], healthcheck, entrypoint } = service;
    const files = secrets.map(
      (name) => `${resolve(this.folder, this.compose.secrets[name]?.file ?? '')}:/run/secrets/${name}:ro`,
    );
    return [
      ...each(
        '--env',
        Object.entries(environment).map(([name, value]) => `${name}=${value}`),
      ),
      ...each('--volume', [...volumes.map((volume) => this.mount(volume)), ...files]),
      ...each('--tmpfs', service.tmpfs),
      ...each('--cap-drop', service.cap_drop),
      ...each('--cap-add', service.cap_add),
      ...each(
        '--security-opt',
        service.security_opt?.map((option) => option.replace(/:true$/, '')),
      ),
      ...(service.init ? ['--init'] : []),
      ...(service.read_only ? ['--read-only', '--read-only-tmpfs=false'] : []),
      ...(service.user ? ['--user', service.user] : []),
      ...(service.shm_size ? ['--shm-size', service.shm_size] : []),
      ...(service.mem_limit ? ['--memory', service.mem_limit] : []),
      ...(service.stop_grace_period ? ['--stop-timeout', String(Number.parseInt(service.stop_grace_period, 10))] : []),
      ...(entrypoint ? ['--entrypoint', JSON.stringify(entrypoint)] : []),
      ...(healthcheck
        ? ['--health-cmd', JSON.stringify(healthcheck.test.slice(1)), '--health-timeout', healthcheck.timeout]
        : []),
      '--health-interval=disable',
    ];
  }

  private network(name: string): string[] {
    const hosts = Object.keys(this.compose.services).map((other) => `${other}:${this.address(other)}`);
    return ['--network', this.project, '--ip', this.address(name), ...each('--add-host', hosts)];
  }

  /** Starts a service after those on which it depends have reached their condition. */
  async start(name: string): Promise<void> {
    const service = this.service(name);
    for (const [other, condition] of Object.entries(conditionsOf(service))) await this.reaches(other, condition);
    const run = ['run', '--detach', '--name', this.name(name), '--restart', service.restart];
    const flags = [...this.network(name), ...this.flags(service)];
    await podman(...run, ...flags, service.image, ...(service.command ?? []));
  }

  /** The arguments of podman that run another command with the image, user, address and mounts of a service. */
  runWords(name: string, words: readonly string[]): string[] {
    const service = this.service(name);
    const network = ['--network', this.project, ...this.network(name).slice(4)];
    return ['run', '--rm', '--interactive', ...network, ...this.flags(service), service.image, ...words];
  }

  run = (name: string, ...words: string[]): Promise<string> => podman(...this.runWords(name, words));
  exec = (name: string, ...words: string[]): Promise<string> => podman('exec', this.name(name), ...words);

  private async reaches(name: string, condition: string): Promise<void> {
    if (condition === 'service_healthy') await this.healthy(name);
    if (condition === 'service_completed_successfully') {
      const code = await this.exitCode(name);
      if (code !== 0) throw new Error(`${name} ended with ${code}:\n${await this.logs(name)}`);
    }
  }

  /** Waits until the container ends. `podman wait` fails if it ended minutes ago. */
  async exitCode(name: string): Promise<number> {
    const inspect = () => podman('inspect', '--format', '{{.State.Status}} {{.State.ExitCode}}', this.name(name));
    let state = await inspect();
    for (; !state.startsWith('exited '); state = await inspect()) await sleep(200);
    return Number(state.split(' ')[1]);
  }

  async healthy(name: string): Promise<void> {
    const isHealthy = () =>
      podman('healthcheck', 'run', this.name(name)).then(
        () => true,
        () => false,
      );
    await until(isHealthy);
    if (!(await isHealthy())) throw new Error(`${name} does not become healthy:\n${await this.logs(name)}`);
  }

  async logs(name: string): Promise<string> {
    const { stdout, stderr } = await execute('podman', ['logs', '--tail', '50', this.name(name)]);
    return stdout + stderr;
  }

  stop = (name: string): Promise<string> => podman('stop', this.name(name));
  remove = (name: string): Promise<string> => podman('rm', '--force', this.name(name));

  /** Also runs if a step before it failed. */
  removeAll(): void {
    const names = Object.keys(this.compose.services).map(this.name);
    const volumes = Object.keys(this.compose.volumes).map(this.name);
    for (const words of [
      ['rm', '--force', '--ignore', '--time', '5', ...names],
      ['volume', 'rm', '--force', ...volumes],
      ['network', 'rm', '--force', this.project],
    ])
      execFileSync('podman', words, { stdio: 'ignore' });
  }
}
