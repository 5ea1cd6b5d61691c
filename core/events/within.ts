// Waiting for a handler or a job, but not for ever. It cannot be stopped, only given up.

export class DeadlineMissed extends Error {}

/** What `work` answers. @throws DeadlineMissed(message) when that takes longer; a late outcome is dropped */
export async function within<T>(seconds: number, work: () => Promise<T>, message: string): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new DeadlineMissed(message)), seconds * 1000);
  });
  try {
    return await Promise.race([work(), late]);
  } finally {
    clearTimeout(timer);
  }
}
