/** Compares rendered pods and Deployments with their values, because schemas accept any number of replicas and pods without pull secrets. */
import { parse, parseAllDocuments } from 'yaml';

interface Values {
  image?: { pullSecrets?: string[] };
  pullingWorkers?: Record<string, { replicas?: number }>;
}

interface Rendered {
  kind: string;
  metadata: { name: string };
  spec: { replicas?: number; template?: { spec: Pod } } & Pod;
}

interface Pod {
  imagePullSecrets?: { name: string }[];
}

export function compareWithValues(rendered: string, valuesText: string): string[] {
  const { image, pullingWorkers = {} } = parse(valuesText) as Values;
  const objects = parseAllDocuments(rendered).flatMap((document) => (document.toJS() as Rendered | null) ?? []);
  const wanted = image?.pullSecrets?.join() ?? '';
  const faults: string[] = [];
  for (const { kind, metadata, spec } of objects) {
    const pod = kind === 'Pod' ? spec : spec?.template?.spec;
    const secrets = pod?.imagePullSecrets?.map(({ name }) => name).join() ?? '';
    if (pod && secrets !== wanted) faults.push(`${kind} ${metadata.name} has the pull secrets "${secrets}"`);
  }
  for (const [queue, { replicas = 1 }] of Object.entries(pullingWorkers)) {
    const found = objects.find(({ metadata }) => metadata.name === `milepost-pulling-worker-${queue}`)?.spec.replicas;
    if (found !== replicas) faults.push(`The pulling worker ${queue} has ${found} replicas`);
  }
  return faults;
}
