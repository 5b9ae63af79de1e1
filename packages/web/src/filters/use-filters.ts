/** Filters are in the URL, so that users can save and share a view. Each change replaces the URL, so that Back leaves the page. */
import { useSearchParams } from 'react-router';
import { inPlace } from './in-place.ts';

export type Changes = Readonly<Record<string, string | undefined>>;

export function useFilters() {
  const [params, setParams] = useSearchParams();
  const set = (changes: Changes) =>
    setParams((before) => {
      const after = new URLSearchParams(before);
      for (const [name, value] of Object.entries(changes)) {
        if (value === undefined || value === '') after.delete(name);
        else after.set(name, value);
      }
      return after;
    }, inPlace);
  const textOf = (name: string): string | undefined => params.get(name) ?? undefined;
  /** An id. Invalid values are ignored. */
  const numberOf = (name: string): number | undefined => {
    const text = params.get(name);
    return text !== null && /^[1-9]\d{0,14}$/.test(text) ? Number(text) : undefined;
  };
  return {
    textOf,
    numberOf,
    set,
    isAny: params.size > 0,
    clear: () => setParams({}, inPlace),
  };
}
