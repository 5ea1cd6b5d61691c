// HTTP client of the web apps. An operation is identified by its line in the API reference, which also types its
// arguments and response: call('PUT /warranty/claims.php?id={id}', { id: 7, body: { state: 'accepted' } })
import { addressOf, requestOf, type Arguments } from '@keelson/client/request';
import {
  QueryClient,
  useMutation,
  useQuery,
  useQueryClient,
  type QueryKey,
  type UseMutationResult,
  type UseQueryResult,
} from '@tanstack/react-query';
import type { Operations } from '../../api.d.ts';
import { toastError } from '../components/toast.tsx';
import { leaveForSignIn, place } from '../shell/place.ts';
import { prove } from '../shell/prove.ts';
import { useShown } from '../shown.ts';
import { Refused } from './refused.ts';
import { send, sendPatiently } from './send.ts';

export type Operation = keyof Operations & string;
export type Args<O extends Operation> = Operations[O]['args'];
export type Answer<O extends Operation> = Operations[O]['answer'];
/** Response body of an operation, without its envelope. */
export type Data<O extends Operation> = Answer<O> extends { data: infer D } ? D : Answer<O>;
/** Row type of a list: `Row<'GET /tickets.php'>`. */
export type Row<O extends Operation> = Data<O> extends readonly (infer R)[] ? R : RowOf<Data<O>>;
type RowOf<D> = { [K in keyof D]: D[K] extends readonly (infer R)[] ? R : never }[keyof D];

const none = {} as never;

/** Calls an operation. Throws `Refused` with the server's message. */
export async function call<O extends Operation>(
  operation: O,
  args: Args<O> = none,
  signal?: AbortSignal,
): Promise<Answer<O>> {
  return (await ask(operation, args as Arguments, signal)) as Answer<O>;
}

/**
 * Calls an operation known only at run time, such as those of generic pages. Waits for the network and honours
 * Retry-After unless `patient` is false. With `keepalive`, the request outlives the page and is not retried.
 */
export async function ask(operation: string, args: Arguments = {}, signal?: AbortSignal): Promise<unknown> {
  const { idempotencyKey, keepalive, patient = !keepalive, ...given } = args;
  const { path, headers, ...request } = requestOf(operation, given, idempotencyKey as string | undefined);
  const crm = operation.startsWith('crm:');
  const sent = {
    ...request,
    headers: new Headers({ ...headers, ...(crm && { 'X-Console': '1' }) }),
    signal: signal ?? null,
    keepalive: keepalive === true,
  };
  const response = await (patient ? sendPatiently : send)(rootOf(operation) + path, sent);
  if (response.status === 401) leaveForSignIn();
  if (!response.ok) {
    const refused = await Refused.from(response);
    // Secrets require re-authentication, after which the request is repeated.
    if (refused.wantsProof && (await prove()))
      return ask(operation, { ...args, idempotencyKey: crypto.randomUUID() }, signal);
    throw refused;
  }
  const type = response.headers.get('Content-Type') ?? '';
  if (response.status === 204) return undefined;
  return type.includes('json') ? response.json() : response.blob();
}

const rootOf = (operation: string): string => place.root + (operation.startsWith('crm:') ? '/crm' : '');

/** Returns the URL of an operation that returns a file, for links. */
export const hrefOf = (operation: Operation, given: Arguments = {}): string => urlOf(operation, given);

/** `hrefOf` for operations known only at run time. */
export const urlOf = (operation: string, given: Arguments = {}): string =>
  rootOf(operation) + addressOf(operation, given).path;

const again = (count: number, error: Error) =>
  count < 2 && !(error instanceof Refused && error.status > 0 && error.status < 500);

export const queries = new QueryClient({
  defaultOptions: { queries: { staleTime: 15_000, retry: again, refetchOnWindowFocus: true } },
});

/** Fetches one record or a short list, without its envelope. `every` (ms) polls where no change events exist. */
export function useItem<O extends Operation>(
  operation: O,
  args: Args<O> = none,
  options: { enabled?: boolean; every?: number } = {},
): UseQueryResult<Data<O>> {
  return useAnswer(operation, args as Arguments, options) as UseQueryResult<Data<O>>;
}

/** `useItem` for operations known only at run time. */
export function useAnswer(
  operation: string,
  args: Arguments = {},
  { enabled = true, every = 0 }: { enabled?: boolean; every?: number } = {},
): UseQueryResult<unknown> {
  const queryFn = async ({ signal }: { signal: AbortSignal }) => dataOf(await ask(operation, args, signal));
  const answer = useQuery({ queryKey: [operation, args], queryFn, enabled, refetchInterval: every || false });
  // Keep showing cached data and unsaved input when a refetch fails.
  return answer.isRefetchError ? ({ ...answer, error: null } as unknown as typeof answer) : answer;
}

export function dataOf(answer: unknown): unknown {
  return answer instanceof Object && 'data' in answer ? answer.data : answer;
}

export interface Change<O extends Operation> {
  /** Optimistic update; returns a function that rolls it back. */
  readonly show?: (queries: QueryClient, args: Args<O>) => () => void;
  /** Paths whose cached responses are invalidated afterwards. */
  readonly touches?: readonly string[];
  readonly done?: (data: Data<O>, args: Args<O>) => void;
  readonly failed?: (error: Error, args: Args<O>) => void;
  /** While the form that shows the error is open: suppresses the error toast. */
  readonly quiet?: boolean;
  /** Sends one change after another. By default they are sent at once, so an earlier one may be stored last. */
  readonly inOrder?: boolean;
}

/** Mutation for an operation: `mutate(args)`. A refusal rolls back the optimistic update and shows the reason. */
export function useChange<O extends Operation>(
  operation: O,
  change: Change<O> = {},
): UseMutationResult<Answer<O>, Error, Args<O>, (() => void) | undefined> {
  const client = useQueryClient();
  const { show, touches = [], done, failed, quiet = false, inOrder = false } = change;
  const shown = useShown();
  return useMutation<Answer<O>, Error, Args<O>, (() => void) | undefined>({
    ...(inOrder && { scope: { id: operation } }),
    mutationFn: (args) => call(operation, args),
    onMutate: (args) => show?.(client, args),
    onError: (error, args, undo) => {
      undo?.();
      failed?.(error, args);
      if (!quiet || !shown.current) toastError(error);
    },
    onSuccess: (answer, args) => done?.(dataOf(answer) as Data<O>, args),
    onSettled: () => stale(client, touches),
  });
}

/** Invalidates cached responses of paths: visible ones are refetched now, others when next shown. */
export function stale(client: QueryClient, paths: readonly string[]): Promise<void> {
  const predicate = ({ queryKey: [key] }: { queryKey: QueryKey }) => paths.some((each) => String(key).includes(each));
  return client.invalidateQueries({ predicate });
}
