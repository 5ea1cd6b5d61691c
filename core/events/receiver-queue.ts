// Which receivers get the events of a transaction. They are asked with the commit, because those that are registered may have
// to be read first, and once for all events that are alike: imports emit thousands.
import type { Transaction } from '../database/db.ts';
import type { Timestamp } from '../kit/time.ts';
import type { Emitted, Receivers } from './target.ts';

/** An event in a transaction, whose deliveries are still to be added. */
export interface Stored extends Emitted {
  readonly event_id: string;
  readonly now: Timestamp;
}

export interface ReceiverQueueOptions {
  readonly receivers: readonly Receivers[];
  readonly application: () => unknown;
  readonly deliver: (tx: Transaction, stored: Stored, targets: readonly string[]) => void;
}

/** Remembers an event until the commit, when it is delivered to its receivers, in the order of events. */
export function receiverQueue(options: ReceiverQueueOptions): (tx: Transaction, stored: Stored) => void {
  const queues = new WeakMap<Transaction, Stored[]>();
  return (tx, stored) => {
    if (options.receivers.length === 0) return;
    const queue = queues.get(tx);
    if (queue) return void queue.push(stored);
    const first = [stored];
    queues.set(tx, first);
    tx.beforeCommit(async () => {
      queues.delete(tx);
      await deliverAll(options, tx, first);
    });
  };
}

async function deliverAll(options: ReceiverQueueOptions, tx: Transaction, queue: readonly Stored[]): Promise<void> {
  const known = new Map<string, readonly string[]>();
  for (const stored of queue) {
    const kind = `${stored.event.name} ${stored.cause}`;
    const targets = known.get(kind) ?? (await targetsOf(options, tx, stored));
    known.set(kind, targets);
    options.deliver(tx, stored, targets);
  }
}

async function targetsOf({ receivers, application }: ReceiverQueueOptions, tx: Transaction, emitted: Emitted) {
  const targets: string[] = [];
  for (const each of receivers) targets.push(...(await each.targets(application(), tx, emitted)));
  return targets;
}
