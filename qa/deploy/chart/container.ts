/** Runs a container of a rendered pod by podman, with what Kubernetes would give it. */
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { chmod, chown, mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

interface Probe {
  httpGet: { path: string; port: string };
}

interface Volume {
  name: string;
  emptyDir?: object;
  projected?: {
    defaultMode: number;
    sources: { secret: { name: string; items: { key: string; path: string }[] } }[];
  };
}

export interface Pod {
  spec: {
    securityContext: { runAsUser: number; runAsGroup: number; fsGroup: number; runAsNonRoot: boolean };
    terminationGracePeriodSeconds?: number;
    containers: {
      name: string;
      image: string;
      args: string[];
      workingDir: string;
      env: { name: string; value: string }[];
      ports?: { name: string; containerPort: number }[];
      startupProbe?: Probe;
      livenessProbe?: Probe;
      readinessProbe?: Probe;
      volumeMounts: { name: string; mountPath: string; readOnly?: boolean }[];
      securityContext: {
        allowPrivilegeEscalation: boolean;
        readOnlyRootFilesystem: boolean;
        capabilities: { drop: string[] };
      };
    }[];
    volumes: Volume[];
  };
}

export interface RenderedObject {
  kind: string;
  spec?: { template?: Pod } & Pod['spec'];
}

/** Undefined if the object runs no container. */
export function podOf(object: RenderedObject | null): Pod | undefined {
  if (object?.kind === 'Pod' && object.spec) return { spec: object.spec };
  return object?.spec?.template;
}

export interface ContainerProbe {
  what: string;
  succeeds: () => Promise<boolean>;
}

export interface RunningContainer {
  name: string;
  hasEnded: () => boolean;
  output: () => string;
  probes: readonly ContainerProbe[];
  /** The account that its processes have. */
  account: () => string;
  ended: Promise<number | null>;
  /** As Kubernetes does: SIGTERM, and SIGKILL after the grace period. */
  stop: () => Promise<number | null>;
}

interface Surroundings {
  name: string;
  folder: string;
  /** The Secrets of the cluster. */
  secrets: Readonly<Record<string, Readonly<Record<string, string>>>>;
}

export async function startContainer({ spec }: Pod, surroundings: Surroundings): Promise<RunningContainer> {
  const [container] = spec.containers;
  if (!container) throw new Error('The pod has no container.');
  const id = `milepost-chart-${process.pid}-${surroundings.name}`;
  const mounts: string[] = [];
  for (const { name, mountPath, readOnly } of container.volumeMounts) {
    const volume = spec.volumes.find((one) => one.name === name);
    const source = await createVolume(volume as Volume, spec.securityContext.fsGroup, surroundings);
    mounts.push('--volume', `${source}:${mountPath}${readOnly === true ? ':ro' : ''}`);
  }
  const environment = container.env.flatMap(({ name, value }) => ['--env', `${name}=${value}`]);
  const words = ['run', '--rm', '--name', id, '--network=host', '--workdir', container.workingDir, '--pull=never'];
  const all = [...words, ...restrictions(spec), ...mounts, ...environment, container.image, ...container.args];
  const child = spawn('podman', ['--runtime', 'runc', ...all], { stdio: ['ignore', 'pipe', 'pipe'] });
  let output = '';
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk) => (output += String(chunk)));
  const ended = once(child, 'exit').then(([code]) => code as number | null);
  const grace = String(spec.terminationGracePeriodSeconds ?? 30);
  return {
    name: surroundings.name,
    hasEnded: () => child.exitCode !== null,
    output: () => output,
    probes: probesOf(container),
    account: () => podman('exec', id, 'id').trim(),
    ended,
    stop: async () => {
      podman('stop', '--time', grace, id);
      return ended;
    },
  };
}

const podman = (...words: string[]) =>
  spawnSync('podman', ['--runtime', 'runc', ...words], { encoding: 'utf8' }).stdout;

function restrictions({ securityContext, containers: [container] }: Pod['spec']): string[] {
  const { runAsUser, runAsGroup, fsGroup } = securityContext;
  const own = container?.securityContext;
  return [
    '--user',
    `${runAsUser}:${runAsGroup}`,
    '--group-add',
    String(fsGroup),
    ...(own?.readOnlyRootFilesystem === true ? ['--read-only', '--read-only-tmpfs=false'] : []),
    ...(own?.allowPrivilegeEscalation === false ? ['--security-opt', 'no-new-privileges'] : []),
    ...(own?.capabilities.drop ?? []).map((capability) => `--cap-drop=${capability}`),
    // Higher limits than those of a container in a container are refused.
    '--ulimit=nofile=1024:4096',
    '--ulimit=nproc=1000:1000',
  ];
}

/** The group of the pod owns its volumes. It can write to an empty one, and only read secrets. */
async function createVolume(volume: Volume, group: number, { name, folder, secrets }: Surroundings): Promise<string> {
  const path = join(folder, name, volume.name);
  await mkdir(path, { recursive: true });
  await chown(path, 0, group);
  await chmod(path, volume.emptyDir ? 0o2777 : 0o750);
  for (const { secret } of volume.projected?.sources ?? []) {
    for (const item of secret.items) {
      const file = join(path, item.path);
      await writeFile(file, secrets[secret.name]?.[item.key] ?? '');
      await chown(file, 0, group);
      await chmod(file, volume.projected?.defaultMode ?? 0o644);
    }
  }
  return path;
}

function probesOf({ ports = [], ...container }: Pod['spec']['containers'][number]): RunningContainer['probes'] {
  const kinds = ['startupProbe', 'livenessProbe', 'readinessProbe'] as const;
  return kinds.flatMap((kind) => {
    const get = container[kind]?.httpGet;
    if (!get) return [];
    const port = ports.find(({ name }) => name === get.port)?.containerPort;
    const url = `http://127.0.0.1:${port}${get.path}`;
    const succeeds = () =>
      fetch(url).then(
        ({ ok }) => ok,
        () => false,
      );
    return [{ what: `${kind} ${get.path} on ${port}`, succeeds }];
  });
}
