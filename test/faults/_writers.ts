// Writers that create tickets as fast as they get responses, and record every acknowledged one: only a 201 counts.
import { setTimeout as sleep } from 'node:timers/promises';
import type { ExecutionContext } from 'ava';
import type { Place } from './_place.ts';
import { client, Unanswered, type Client, type Sent } from './_send.ts';

export interface Acked {
  readonly ticket_id: number;
  readonly ticket_number: number;
  readonly subject: string;
}

export interface Writers {
  readonly acked: readonly Acked[];
  /** Responses other than 201 and "not now" (503, 429). */
  readonly unexpected: readonly string[];
  readonly counts: { unanswered: number; refused: number; slowestMs: number };
  /** Waits for the next 201 to a request sent from now on. @throws after 15 s without one */
  nextAck(): Promise<void>;
  /** Stops all writers after their pending requests. */
  stop(): Promise<void>;
}

/** Pause after a request that was not accepted. */
const PAUSE_MS = 20;
const PATIENCE_MS = 60_000;

/**
 * Starts `n` writers; each sends to one of `urls`. Every second one is careful: it repeats the same ticket with the
 * same `Idempotency-Key` until acknowledged, so its subject must exist exactly once, whatever happens.
 */
export function startWriters(
  t: ExecutionContext,
  place: Pick<Place, 'key' | 'companies'>,
  urls: readonly string[],
  n = 16,
): Writers {
  const acked: Acked[] = [];
  const unexpected: string[] = [];
  const counts = { unanswered: 0, refused: 0, slowestMs: 0 };
  const waiting = new Set<() => void>();
  let stopped = false;

  const answered = (sent: Sent, subject: string, asked: ReadonlySet<() => void>): boolean => {
    counts.slowestMs = Math.max(counts.slowestMs, sent.ms);
    if (sent.status === 201) {
      acked.push({ ...ticketIn(sent.text), subject });
      for (const resolve of asked) resolve();
      return true;
    }
    if (sent.status === 503 || sent.status === 429) counts.refused++;
    else unexpected.push(`${sent.status} ${sent.text.slice(0, 200)}`);
    return false;
  };

  const write = async (http: Client, url: string, subject: string, company: number, careful: boolean) => {
    const asked = new Set(waiting);
    const body = { subject, company_number: company, priority: (company % 5) + 1 };
    const keyed = careful ? { idempotencyKey: subject } : {};
    const request = { method: 'POST', path: '/admin/api/v1/tickets.php', token: place.key, body, ...keyed } as const;
    try {
      if (answered(await http.send(url, request), subject, asked)) return true;
    } catch (error) {
      if (!(error instanceof Unanswered)) throw error;
      if (!error.refused) counts.unanswered++;
    }
    await sleep(PAUSE_MS);
    return false;
  };

  const run = async (writer: number) => {
    const http = client();
    const url = urls[writer % urls.length] ?? '';
    const careful = writer % 2 === 1;
    for (let i = 0; !stopped; i++) {
      const company = place.companies[i % place.companies.length] ?? 0;
      const subject = `${careful ? 'careful' : 'plain'} ${writer} ${i}`;
      while (!(await write(http, url, subject, company, careful)) && careful && !stopped);
    }
    http.close();
  };
  const running = Array.from({ length: n }, (_, writer) => run(writer));
  const stop = async () => {
    stopped = true;
    await Promise.all(running);
  };
  t.teardown(stop);

  return {
    acked,
    unexpected,
    counts,
    async nextAck() {
      const { promise, resolve, reject } = Promise.withResolvers<void>();
      const late = () =>
        reject(new Error(`Nothing was acknowledged for ${PATIENCE_MS} ms: ${unexpected[0] ?? 'silence'}`));
      const timer = setTimeout(late, PATIENCE_MS);
      waiting.add(resolve);
      await promise.finally(() => {
        clearTimeout(timer);
        waiting.delete(resolve);
      });
    },
    stop,
  };
}

function ticketIn(text: string): { ticket_id: number; ticket_number: number } {
  const { data } = JSON.parse(text) as { data: { ticket_id: number; ticket_number: number } };
  return { ticket_id: data.ticket_id, ticket_number: data.ticket_number };
}
