/** The completions for the text at the cursor, from the language and from the server. */
import { queries } from '@milepost/api';
import { useDebouncedValue } from '@mantine/hooks';
import { useQuery } from '@tanstack/react-query';
import { noEvents, operationQuery, type QueryOf } from '../api/operation-query.ts';
import { useNow } from '../ui/now.ts';
import { offersOfKeys, offersOfNames, offersOfValues, ranked, type Offer } from './completions.ts';

type Request = QueryOf<'getQueryCompletions'>;

/** The names whose values or keys the server knows. */
const completed: ReadonlySet<string> = new Set(queries.completedNames);
const pauseMilliseconds = 150;

/** The key whose values are completed. */
const keyOf = (at: queries.Completion) => (at.part === 'value' && at.key !== '' ? at.key : undefined);

/** What the server completes. The key of some names is a state. */
const listOf = (at: queries.Completion) =>
  at.part === 'key' && queries.ruleOf(at.name).key === 'state' ? 'state' : 'name' in at ? at.name : undefined;

function requestFor(at: queries.Completion): Request | undefined {
  const of = listOf(at);
  if (of === undefined || !completed.has(of)) return undefined;
  const key = keyOf(at);
  return { of: of as Request['of'], text: at.typed.slice(0, 255), ...(key === undefined ? {} : { key }) };
}

/** Whether a response completes the same name or key, for another text. */
const isSameList = (wanted: Request | undefined, queryKey: readonly unknown[] = []): boolean => {
  const [, call] = queryKey as [unknown, { query?: Request } | undefined];
  return wanted !== undefined && call?.query?.of === wanted.of && call.query.key === wanted.key;
};

/** `at` is the part that a chosen completion replaces. */
export function useOffers(text: string, cursor: number, isOpen: boolean): { at: queries.Completion; offers: Offer[] } {
  const now = useNow();
  const at = queries.completeQuery(text, cursor);
  const [request] = useDebouncedValue(JSON.stringify(requestFor(at)), pauseMilliseconds);
  const query = request === undefined ? undefined : (JSON.parse(request) as Request);
  const { data, isPlaceholderData } = useQuery({
    ...operationQuery('getQueryCompletions', { query: query ?? { of: 'state' } }, noEvents),
    staleTime: 60_000,
    placeholderData: (before, of) => (isSameList(query, of?.queryKey) ? before : undefined),
    enabled: isOpen && query !== undefined,
  });
  const isCurrent = query !== undefined && query.of === listOf(at) && query.key === keyOf(at);
  const completions = isCurrent ? (data?.completions ?? []) : [];
  // The server also finds titles and names of users, so its current response is not filtered again.
  const suggestions = isPlaceholderData ? ranked(completions, at.typed) : completions;
  if (at.part === 'name') return { at, offers: offersOfNames(at.typed) };
  if (at.part === 'key') return { at, offers: offersOfKeys(suggestions) };
  return { at, offers: at.part === 'value' ? offersOfValues(at.name, at.typed, suggestions, now) : [] };
}
