/**
 * Fills in the placeholders in the arguments of a callback as the run does, except secrets, which must not be shown. Variables and
 * external IDs are filled in with their current values, and listed, because the page does not know the values at the time of the run.
 */
interface Named {
  id: number;
  label: string;
}

interface Linked extends Named {
  api_uri: string;
  web_uri: string;
  external_ids: Readonly<Record<string, string>>;
}

export interface Source {
  id: number;
  api_uri: string;
  web_uri: string;
  experiment: Linked & { variable_map: Readonly<Record<string, unknown>> };
  subject: Linked;
  cohort: Named;
  external_systems: Readonly<Record<string, string>>;
}

export interface FilledArguments {
  /** The text itself if it is not JSON. */
  values: unknown;
  /** The filled in placeholders whose values may have changed since the run. */
  current: string[];
}

const prefixed = (prefix: string, values: object) =>
  Object.entries(values).map(([name, value]) => [`${prefix}.${name}`, value] as const);

const linkFields = ({ id, label, api_uri, web_uri }: Linked) => ({ id, label, api_uri, web_uri });

const stable = (source: Source): ReadonlyMap<string, unknown> => {
  const { id, api_uri, web_uri, experiment, subject, cohort, external_systems } = source;
  return new Map([
    ...prefixed('execution', { id, api_uri, web_uri }),
    ...prefixed('experiment', linkFields(experiment)),
    ...prefixed('subject', linkFields(subject)),
    ...prefixed('cohort', { id: cohort.id, label: cohort.label }),
    ...prefixed('external_systems', external_systems),
  ]);
};

const changing = ({ experiment, subject }: Source): ReadonlyMap<string, unknown> =>
  new Map([
    ...prefixed('experiment.variables', experiment.variable_map),
    ...prefixed('experiment.external_ids', experiment.external_ids),
    ...prefixed('subject.external_ids', subject.external_ids),
  ]);

const isUri = (name: string) => name.startsWith('external_systems.') || name.endsWith('_uri');

/** `text` is a JSON object. */
export function fillInArguments(text: string, source: Source): FilledArguments {
  const [kept, changed] = [stable(source), changing(source)];
  const current = new Set<string>();
  const fill = (given: string, isUrl: boolean) =>
    given.replaceAll(/\{\{([^{}]*)\}\}/g, (whole, path: string) => {
      const name = path.trim();
      const value = kept.get(name) ?? changed.get(name);
      if (value === undefined || value === null) return whole;
      if (changed.has(name)) current.add(name);
      const filled = typeof value === 'string' ? value : JSON.stringify(value);
      return isUrl && !isUri(name) ? encodeURIComponent(filled.toWellFormed()) : filled;
    });
  const values = mapArguments(text, fill);
  return { values, current: [...current] };
}

/** Changes every string. The argument `url` is special: values in it are percent-encoded. */
function mapArguments(text: string, change: (given: string, isUrl: boolean) => string): unknown {
  try {
    const given = JSON.parse(text) as Record<string, unknown>;
    const changed = Object.entries(given).map(([argument, value]): [string, unknown] => [
      argument,
      JSON.parse(JSON.stringify(value), (_key, inner: unknown) =>
        typeof inner === 'string' ? change(inner, argument === 'url') : inner,
      ),
    ]);
    return Object.fromEntries(changed);
  } catch {
    return text;
  }
}
