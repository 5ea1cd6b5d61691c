// Subscribers: work to do after an event.
import type { DeliveryAttempt, Target } from './delivery/target.ts';
import type { Event, Occurrence } from './event.ts';

export type SubscriberOptions = Pick<Target, 'outside' | 'retrySchedule'>;

/**
 * Work to do after an event: at least once, in its own transaction, retried when it throws. Each subscriber has its own
 * delivery, so one that fails or hangs does not delay others.
 */
export interface Subscriber<Ctx = any> extends SubscriberOptions {
  /** `warranty.notify`: the plugin's id, a dot, and the action. */
  readonly name: string;
  readonly event: Event<any>;
  readonly handle: (ctx: Ctx, occurrence: Occurrence<any>, delivery: DeliveryAttempt) => Promise<void>;
}

/** Declares a subscriber; `handle` runs with the system's context. */
export function subscriber<Data, Ctx>(
  name: string,
  to: Event<Data>,
  handle: (ctx: Ctx, occurrence: Occurrence<Data>, delivery: DeliveryAttempt) => Promise<void>,
  options: SubscriberOptions = {},
): Subscriber<Ctx> {
  return Object.freeze({ name, event: to, handle, ...options });
}
