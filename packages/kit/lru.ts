import { LRUCache } from 'lru-cache';

const one = () => 1;

/**
 * Returns a cache of the `max` entries used last, each for up to `ttl` milliseconds of `now`. It allocates as it grows:
 * LRUCache's own `max` would allocate room for all entries at once, a megabyte for 50,000.
 */
export function lru<Key extends {}, Value extends {}>(
  max: number,
  ttl = 0,
  now = () => performance.now(),
): LRUCache<Key, Value> {
  return new LRUCache({ maxSize: max, sizeCalculation: one, ttl, ttlResolution: 0, perf: { now } });
}
