import { id, int, key, ref, table, text, when, type Row } from '@keelson/core';
import { Technician } from '@keelson/modules/directory';

/** A browser that shows a technician's notifications when no page is open (Web Push, RFC 8030). */
export const PushSubscription = table(
  'push_subscription',
  {
    subscription_id: id(),
    user_id: ref(Technician).hidden(),
    /** The session that added it; signing out removes both. */
    session_id: int().hidden(),
    /** The technician's version then. Whatever ends their sessions ends this, too. */
    access_version: int().hidden(),
    /** Hash of the browser's address at its push service. */
    endpoint_hash: key(64).unique().hidden(),
    /** That address and the browser's keys, sealed: anyone who knows the address can send to it. */
    sealed: text().hidden(),
    /** The browser's name: `Firefox, Linux`. */
    device: text(100),
    created_at: when(),
    delivered_at: when().nullable(),
  },
  [['user_id', 'subscription_id']],
);
export type PushSubscription = Row<typeof PushSubscription>;
