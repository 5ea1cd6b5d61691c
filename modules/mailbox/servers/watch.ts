// Stays connected to every active mailbox, so that mails are received as they arrive. It is one long run of a job, so
// only one process does it, and another takes over within a minute if it dies. Polling (receive.ts) continues and
// catches anything a stalled connection misses.
import type { Context } from '@keelson/core';
import { pause } from '@keelson/core/kit';
import type { Mailbox } from '../entities.ts';
import { readActive, receiveAsTheyCome } from './receive.ts';
import { MailboxAway } from './source.ts';

/** A job may run for an hour; the next run continues. */
const LONGEST_MS = 50 * 60 * 1000;
/** How often to look for new and changed mailboxes. */
const LOOK_SECONDS = 20;
const LONGEST_PAUSE_SECONDS = 300;

interface Watched {
  readonly settings: string;
  end(): Promise<void>;
}

/** Watches all active mailboxes until `stopping` is aborted; returns immediately if there are none. */
export async function watchAll(outside: Context, stopping: AbortSignal): Promise<void> {
  const over = AbortSignal.any([stopping, AbortSignal.timeout(LONGEST_MS)]);
  const watched = new Map<number, Watched>();
  try {
    for (;;) {
      const boxes = (await readActive(outside)).filter((each) => each.protocol === 'imap');
      const wanted = new Map(boxes.map((each) => [each.mailbox_id, each]));
      for (const [id, { settings, end }] of watched) {
        if (settings === settingsOf(wanted.get(id))) continue;
        watched.delete(id);
        await end();
      }
      for (const [id, box] of wanted) if (!watched.has(id)) watched.set(id, startWatching(outside, box));
      if (watched.size === 0 || over.aborted) return;
      await pause(LOOK_SECONDS, over);
    }
  } finally {
    await Promise.all([...watched.values()].map((each) => each.end()));
  }
}

const settingsOf = (mailbox: Mailbox | undefined): string => JSON.stringify(mailbox ?? null);

function startWatching(outside: Context, mailbox: Mailbox): Watched {
  const off = new AbortController();
  const done = keepWatching(outside, mailbox, off.signal);
  return {
    settings: settingsOf(mailbox),
    end() {
      off.abort();
      return done;
    },
  };
}

/** Reconnects with backoff. Polling records mailbox errors. */
async function keepWatching(outside: Context, mailbox: Mailbox, off: AbortSignal): Promise<void> {
  const { mailbox_id } = mailbox;
  for (let failures = 0; !off.aborted; failures++) {
    const alive = () => (failures = 0);
    await receiveAsTheyCome(outside, mailbox, alive, off).catch((err: unknown) => {
      const message = err instanceof MailboxAway ? 'mailbox: connection lost' : 'mailbox: a mail could not be stored';
      outside.log.warn({ err, mailbox_id }, message);
    });
    await pause(Math.min(2 ** failures, LONGEST_PAUSE_SECONDS), off);
  }
}
