import { setTimeout as sleep } from 'node:timers/promises';

/**
 * Waits until a condition holds, looking every 50 ms.
 * @param seconds a deadline for tests that hang
 * @throws when it does not hold in time
 */
export async function until(holds: () => Promise<boolean> | boolean, seconds = 120): Promise<void> {
  const since = performance.now();
  while (!(await holds())) {
    if (performance.now() - since > seconds * 1000) throw new Error(`The condition did not hold within ${seconds} s`);
    await sleep(50);
  }
}
