// Sends replies written in the composer.
import { ask, dataOf, queries, stale, toast, t } from '@keelson/web';
import { useSyncExternalStore } from 'react';
import { show, type Ticket } from './change.tsx';
import type { Status } from './look.tsx';

/** Undo window for public replies. */
const UNDO_MS = 5000;

export interface Reply {
  readonly comment: string;
  readonly is_internal: boolean;
  readonly note?: string;
  readonly duration_minutes?: number;
  readonly billable: boolean;
  readonly status?: Status;
  readonly seen_comment_id: number;
  readonly anyway?: boolean;
}

/** Replies that can still be undone, by ticket; shown in the conversation. */
const waiting = new Map<number, readonly Reply[]>();
const listeners = new Set<() => void>();
const none: readonly Reply[] = [];

function setWaiting(id: number, change: (now: readonly Reply[]) => readonly Reply[]): void {
  waiting.set(id, change(waiting.get(id) ?? none));
  for (const each of listeners) each();
}

const subscribe = (listener: () => void) => {
  listeners.add(listener);
  return () => void listeners.delete(listener);
};

/** Returns the replies being sent on a ticket. */
export const useWaiting = (id: number): readonly Reply[] =>
  useSyncExternalStore(subscribe, () => waiting.get(id) ?? none);

interface Then {
  readonly wait: boolean;
  /** Files that are still being uploaded, which the reply's mail includes; false if they are refused. */
  readonly uploads: Promise<boolean> | undefined;
  readonly sent: (stored: Ticket) => void;
  /** The page closes, so that it will not see the response. */
  readonly leaving: () => void;
  readonly back: (error?: Error) => void;
}

/**
 * Sends a reply after the undo window. Leaving the page sends it at once; a request still in flight then is aborted and
 * its text kept as a draft, as it is if the reply waits for its files.
 */
export function sendReply(ticket: Ticket, reply: Reply, { wait, uploads, sent, leaving, back }: Then): void {
  const idempotencyKey = crypto.randomUUID();
  const put = reply.status ? show(ticket.ticket_id, { status: reply.status }) : () => {};
  const givenUp = new AbortController();
  const shown = wait && reply.comment ? [reply] : none;
  setWaiting(ticket.ticket_id, (now) => [...now, ...shown]);
  const hide = () => setWaiting(ticket.ticket_id, (now) => now.filter((each) => each !== reply));
  let done = false;
  let uploading = uploads !== undefined;
  let refused = false;
  const uploaded = uploads?.then((all) => {
    uploading = false;
    refused = !all;
  });
  const go = async (keepalive = false) => {
    if (done) return;
    done = true;
    try {
      if (uploading) await uploaded;
      if (refused) throw new Error(t('The reply was not sent, because its file could not be attached.'));
      givenUp.signal.throwIfAborted();
      // Browsers limit keepalive requests to 64 KiB, so use keepalive only when the page is closing.
      // Nobody could send it again then if someone has commented since.
      const body = keepalive ? { ...reply, anyway: true } : reply;
      const given = { id: ticket.ticket_id, body, idempotencyKey, keepalive };
      const answer = await ask('POST /tickets.php?action=reply&id={id}', given, givenUp.signal);
      removeEventListener('pagehide', leave);
      sent(dataOf(answer) as Ticket);
      await stale(queries, ['/tickets.php']);
      hide();
    } catch (error) {
      removeEventListener('pagehide', leave);
      put();
      hide();
      if (!givenUp.signal.aborted) back(error as Error);
    }
  };
  const leave = () => {
    if (!done && !uploading && !refused) {
      void go(true);
      return leaving();
    }
    if (!done) {
      done = true;
      put();
      hide();
    }
    // No response yet. The browser may drop the request or complete it later, so abort it: a reply restored as a draft
    // must not be sent as well.
    back();
    givenUp.abort();
  };
  addEventListener('pagehide', leave);
  if (!wait) return void go();
  const timer = setTimeout(() => void go(), UNDO_MS);
  toast(reply.comment ? t('Sending reply') : t('Saved'), {
    stays: UNDO_MS,
    act: {
      title: t('Undo'),
      run: () => {
        if (done) return toast(t('The reply has already been sent'));
        done = true;
        clearTimeout(timer);
        removeEventListener('pagehide', leave);
        put();
        hide();
        back();
      },
    },
  });
}
