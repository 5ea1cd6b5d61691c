// Live change stream. One tab holds the connection and broadcasts to the others, because browsers allow six connections
// per host.
import { useCallback, useEffect } from 'react';
import { place } from '../shell/place.ts';
import { useSession, type Session } from '../shell/session.tsx';
import { queries, stale, useAnswer } from './client.ts';

export interface ChangeOf {
  readonly type: string;
  readonly key: string | number;
  readonly event: string;
  readonly by?: { readonly type: string; readonly id: number | null } | null;
}

/** A person who has a record open. */
export interface Present {
  readonly user_id: number;
  readonly name: string;
  readonly doing: 'viewing' | 'writing';
}

type Arrival = Pick<ChangeOf, 'type' | 'key' | 'by'>;
type Told = { change: ChangeOf } | { presence: Arrival } | { reload: true };

const heard = new Set<(told: Told) => void>();
const GATHER_MS = 200;
const REOPEN_MS = 2000;
const REOPEN_MOST_MS = 60_000;
const PRESENT = 'GET /presence.php';
/** Polling interval that detects people who disconnected silently. */
const PRESENT_EVERY_MS = 40_000;

/** Starts the live stream for the person `own`; called once by the shell. Refetches responses of changed records. */
export function startLive(paths: Session['live'], own: number): () => void {
  const channel = new BroadcastChannel(`keelson.live.${place.id}`);
  const end = new AbortController();
  channel.onmessage = ({ data }: MessageEvent<Told>) => hear(data);
  const tell = (told: Told) => {
    channel.postMessage(told);
    hear(told);
  };
  const touched = new Set<string>();
  let timer: ReturnType<typeof setTimeout> | undefined;
  const flush = () => {
    timer = undefined;
    const outdated = [...touched];
    touched.clear();
    void stale(queries, outdated);
  };
  const onTold = (told: Told) => {
    if ('reload' in told) return void queries.invalidateQueries();
    if ('presence' in told) return void refetchPresent(told.presence, own);
    for (const path of paths[told.change.type] ?? []) touched.add(path);
    timer ??= setTimeout(flush, GATHER_MS);
  };
  heard.add(onTold);
  void lead(tell, end.signal).catch((error: Error) => {
    if (error.name !== 'AbortError') throw error;
  });
  return () => {
    end.abort();
    heard.delete(onTold);
    clearTimeout(timer);
    channel.close();
  };
}

/** Holds the stream, at once or after the tab that holds it now. */
async function lead(tell: (told: Told) => void, signal: AbortSignal): Promise<void> {
  const name = `keelson.live.${place.id}`;
  const isFirst = await navigator.locks.request(name, { ifAvailable: true }, async (lock) => {
    if (lock && !signal.aborted) await hold(tell, signal, false);
    return lock !== null;
  });
  // The pages miss what changes between the two streams.
  if (!isFirst) await navigator.locks.request(name, { signal }, () => hold(tell, signal, true));
}

/** Refetches who is present on the record and in lists of its type. One's own presence is never shown. */
async function refetchPresent({ type, key, by }: Arrival, own: number): Promise<void> {
  if (by?.id === own) return;
  await queries.invalidateQueries({
    predicate: ({ queryKey: [operation, args] }) => {
      const asked = args as { readonly type?: string; readonly key?: string | number } | undefined;
      return operation === PRESENT && asked?.type === type && [undefined, String(key)].includes(asked.key?.toString());
    },
  });
}

function hear(told: Told): void {
  for (const each of heard) each(told);
}

/**
 * Holds the stream until the page closes. The browser reconnects a broken stream, but gives up permanently on any other
 * response. In that case, a new stream is opened after a delay and everything is refetched, as it is if the stream is
 * `late`.
 */
function hold(tell: (told: Told) => void, signal: AbortSignal, late: boolean): Promise<void> {
  let source: EventSource;
  let timer: ReturnType<typeof setTimeout>;
  let wait = REOPEN_MS;
  const open = (again: boolean) => {
    source = new EventSource(place.live);
    source.addEventListener('open', () => {
      wait = REOPEN_MS;
      if (again) tell({ reload: true });
      again = false;
    });
    source.addEventListener('change', ({ data }) => tell({ change: JSON.parse(data) as ChangeOf }));
    source.addEventListener('presence', ({ data }) => tell({ presence: JSON.parse(data) as Arrival }));
    source.addEventListener('reload', () => tell({ reload: true }));
    source.addEventListener('error', () => {
      if (source.readyState !== EventSource.CLOSED) return;
      timer = setTimeout(() => open(true), wait);
      wait = Math.min(2 * wait, REOPEN_MOST_MS);
    });
  };
  open(late);
  return new Promise((resolve) => {
    signal.addEventListener('abort', () => {
      clearTimeout(timer);
      source.close();
      resolve();
    });
  });
}

/** Runs `work` for each reported change of a record. */
export function useChanges(work: (change: ChangeOf) => void): void {
  useEffect(() => {
    const onTold = (told: Told) => 'change' in told && work(told.change);
    heard.add(onTold);
    return () => void heard.delete(onTold);
  }, [work]);
}

/** Refetches responses of `path` when a record of `type` without its own page changes. */
export function useLive(type: string, path: string): void {
  useChanges(useCallback((change) => void (change.type === type && stale(queries, [path])), [type, path]));
}

/** Returns the other people who have a record open now. */
export function usePresent(type: string, key: string | number): readonly Present[] {
  const { person } = useSession();
  const { data } = useAnswer(PRESENT, { type, key }, { every: PRESENT_EVERY_MS });
  return ((data ?? []) as readonly Present[]).filter((each) => each.user_id !== person.id);
}

/** Returns the other people who have any record of a type open now, by record. */
export function usePresentIn(type: string): ReadonlyMap<number, readonly Present[]> {
  const { person } = useSession();
  const { data } = useAnswer(PRESENT, { type }, { every: PRESENT_EVERY_MS });
  const others = ((data ?? []) as readonly (Present & { readonly key: number })[]).filter(
    (each) => each.user_id !== person.id,
  );
  return Map.groupBy(others, ({ key }) => key);
}
