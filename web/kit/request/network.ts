// Network state: offline, rate limited, or server unreachable.

export interface Network {
  readonly online: boolean;
  /** The server does not respond although the network is up. */
  readonly silent: boolean;
  /** End of the pause requested by the server, in epoch milliseconds; 0 for none. */
  readonly pausedUntil: number;
  /** Number of changes that wait for the network. */
  readonly waiting: number;
}

let now: Network = { online: navigator.onLine, silent: false, pausedUntil: 0, waiting: 0 };
const listeners = new Set<() => void>();

function note(change: Partial<Network>): void {
  now = { ...now, ...change };
  for (const each of listeners) each();
}

addEventListener('online', () => note({ online: true }));
addEventListener('offline', () => note({ online: false }));

export const network = (): Network => now;

export function onNetwork(listener: () => void): () => void {
  listeners.add(listener);
  return () => void listeners.delete(listener);
}

/** Records whether the server responded to the last request. */
export function answers(does: boolean): void {
  if (now.silent === does) note({ silent: !does });
}

/** Waits for the network and counts the request as waiting. @throws the signal's reason */
export async function untilOnline(signal?: AbortSignal): Promise<void> {
  if (navigator.onLine) return;
  note({ waiting: now.waiting + 1 });
  try {
    await new Promise<void>((resolve, reject) => {
      const once = { once: true };
      addEventListener('online', () => resolve(), once);
      signal?.addEventListener('abort', () => reject(signal.reason as Error), once);
    });
  } finally {
    note({ waiting: now.waiting - 1 });
  }
}

/** Pauses up to this length are not shown. */
const SHORT_S = 1;

/** Waits for the time the server requested. @throws the signal's reason */
export async function pause(seconds: number, signal?: AbortSignal): Promise<void> {
  const until = Date.now() + seconds * 1000;
  if (seconds > SHORT_S && until > now.pausedUntil) note({ pausedUntil: until });
  try {
    await new Promise<void>((resolve, reject) => {
      const timer = setTimeout(resolve, seconds * 1000);
      signal?.addEventListener('abort', () => (clearTimeout(timer), reject(signal.reason as Error)), { once: true });
    });
  } finally {
    if (now.pausedUntil === until) note({ pausedUntil: 0 });
  }
}
