// Stays connected to every active mailbox, so that mails are received as they arrive. It is one long run of a job, so
// only one process does it, and another one takes over within a minute of its death. Polling (receive.ts) goes on and
// finds what a silent connection misses.
import { IsNull } from '@keelson/core';
import type { Context } from '@keelson/core';
import { pause } from '@keelson/core/kit';
import { Mailbox } from './entities.ts';
import { MailboxAway } from './imap.ts';
import { MOST_BOXES, receiveAsTheyCome } from './receive.ts';

/** A job may run for an hour; the next run goes on. */
const LONGEST_MS = 50 * 60 * 1000;
/** How often to look for new and changed mailboxes. */
const LOOK_SECONDS = 20;
const LONGEST_PAUSE_SECONDS = 300;

interface Watched {
  readonly settings: string;
  end(): Promise<void>;
}

/** Watches all active mailboxes until `stopping` is aborted; returns at once if there are none. */
export async function watchAll(outside: Context, stopping: AbortSignal): Promise<void> {
  const over = AbortSignal.any([stopping, AbortSignal.timeout(LONGEST_MS)]);
  const watched = new Map<number, Watched>();
  try {
    for (;;) {
      const where = { active: true, deleted_at: IsNull() };
      const boxes = await outside.db.find(Mailbox, { where, take: MOST_BOXES });
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

/** Connects again after growing pauses. What is wrong with the mailbox is noted by the poll. */
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
