// A rate limiter that allows everything, for tests that exceed every limit.
import type { Limiter } from '../packages/security/limit.ts';

export const boundless: Limiter = {
  take: (_bucket, limit) => ({ allowed: true, limit, remaining: limit, resetAt: 0, retryAfter: 1 }),
  takeEach: (charges) =>
    charges.map(({ limit }) => ({ allowed: true, limit, remaining: limit, resetAt: 0, retryAfter: 1 })),
  close: async () => {},
};
