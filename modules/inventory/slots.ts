// What networks show of other modules' rows.
import { z } from '@keelson/core';
import { slot } from '@keelson/core/plugin';

/** Addresses of a network at which somebody answers that is no asset, in the order of addresses. */
export const SeenAddresses = slot(
  'network.seen_addresses',
  z.array(z.object({ ip_address: z.string(), address_key: z.string() })),
  [],
);
