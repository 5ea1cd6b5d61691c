// Waiting for a handler or a job, but not for ever. It cannot be stopped, only given up.

export class DeadlineMissed extends Error {}

/** What `work` answers. @throws DeadlineMissed(message) when that takes longer; a late outcome is dropped */
export async function withTimeout<T>(seconds: number, work: () => Promise<T>, message: string): Promise<T> {
  const { promise, resolve, reject } = Promise.withResolvers<T>();
  const timer = setTimeout(() => reject(new DeadlineMissed(message)), seconds * 1000);
  try {
    // One promise less than a race, for every delivery.
    work().then(resolve, reject);
    return await promise;
  } finally {
    clearTimeout(timer);
  }
}
