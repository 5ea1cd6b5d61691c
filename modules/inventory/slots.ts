// Slots for data of other modules shown on networks.
import { z } from '@keelson/core';
import { slot } from '@keelson/core/plugin';

/** Responding addresses of a network that belong to no asset, sorted by address. */
export const SeenAddresses = slot(
  'network.seen_addresses',
  z.array(z.object({ ip_address: z.string(), address_key: z.string() })),
  [],
);
