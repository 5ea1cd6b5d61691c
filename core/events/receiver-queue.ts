// Determines which receivers get the events of a transaction. It does so at the commit, because registered receivers
// may have to be read first, and once per kind of event: imports emit thousands.
import type { Transaction } from '../database/db.ts';
import type { Timestamp } from '../kit/time.ts';
import type { Emitted, Receivers } from './target.ts';

/** An event in a transaction, before its deliveries are added. */
export interface Waiting extends Emitted {
  /** Undefined until it is stored. */
  event_id: string | undefined;
  readonly data: unknown;
  readonly changed: readonly string[];
  readonly now: Timestamp;
}

export interface ReceiverQueueOptions {
  readonly receivers: readonly Receivers[];
  readonly application: () => unknown;
  readonly deliver: (tx: Transaction, waiting: Waiting, targets: readonly string[]) => void;
}

/** Queues events until the commit, then delivers them to their receivers in order. */
export function receiverQueue(options: ReceiverQueueOptions): (tx: Transaction, waiting: Waiting) => void {
  const queues = new WeakMap<Transaction, Waiting[]>();
  return (tx, waiting) => {
    if (options.receivers.length === 0) return;
    const queue = queues.get(tx);
    if (queue) return void queue.push(waiting);
    const first = [waiting];
    queues.set(tx, first);
    tx.beforeCommit(async () => {
      queues.delete(tx);
      await deliverAll(options, tx, first);
    });
  };
}

async function deliverAll(options: ReceiverQueueOptions, tx: Transaction, queue: readonly Waiting[]): Promise<void> {
  const known = new Map<string, readonly string[]>();
  for (const waiting of queue) {
    const kind = `${waiting.event.name} ${waiting.cause}`;
    const targets = known.get(kind) ?? (await targetsOf(options, tx, waiting));
    known.set(kind, targets);
    options.deliver(tx, waiting, targets);
  }
}

async function targetsOf({ receivers, application }: ReceiverQueueOptions, tx: Transaction, emitted: Emitted) {
  const targets: string[] = [];
  for (const each of receivers) targets.push(...(await each.targets(application(), tx, emitted)));
  return targets;
}
