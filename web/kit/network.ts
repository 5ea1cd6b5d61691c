// Whether requests get through: the browser may be offline, the server may ask for a pause, or may not answer.

export interface Network {
  readonly online: boolean;
  /** The server does not answer, though there is a network. */
  readonly silent: boolean;
  /** When the pause that the server asked for is over, in milliseconds; 0 without one. */
  readonly pausedUntil: number;
  /** How many changes wait for the network. */
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

/** Notes whether the server answered the last request. */
export function answers(does: boolean): void {
  if (now.silent === does) note({ silent: !does });
}

/** Waits for the network; the page says that something waits. @throws the signal's reason */
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

/** A pause as short as this is not worth a word. */
const SHORT_S = 1;

/** Waits as long as the server asks. @throws the signal's reason */
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
