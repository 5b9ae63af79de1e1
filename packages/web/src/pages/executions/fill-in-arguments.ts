/**
 * Fills in the placeholders in the arguments of a callback whose values the page knows. Others stay: secrets must not be shown,
 * and variables may have changed since the run.
 */
interface Source {
  id: number;
  api_uri: string;
  experiment: { id: number; label: string };
  subject: { id: number; label: string };
  cohort: { id: number; label: string };
  external_systems: Readonly<Record<string, string>>;
}

const known = ({ id, api_uri, experiment, subject, cohort, external_systems }: Source) =>
  new Map<string, string>([
    ['execution.id', String(id)],
    ['execution.api_uri', api_uri],
    ...Object.entries({ experiment, subject, cohort }).flatMap(([name, named]): [string, string][] => [
      [`${name}.id`, String(named.id)],
      [`${name}.label`, named.label],
    ]),
    ...Object.entries(external_systems).map(([name, url]): [string, string] => [`external_systems.${name}`, url]),
  ]);

/** `text` is JSON. It comes back unchanged if it is not. */
export function fillInArguments(text: string, source: Source): unknown {
  const values = known(source);
  const fill = (value: string) =>
    value.replaceAll(/\{\{([^{}]*)\}\}/g, (whole, name: string) => values.get(name.trim()) ?? whole);
  try {
    return JSON.parse(text, (_key, value: unknown) => (typeof value === 'string' ? fill(value) : value));
  } catch {
    return text;
  }
}
