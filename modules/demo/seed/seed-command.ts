// `seed`: adds generated tickets and reports the rate.
import { z } from '@keelson/core';
import type { CommandInput, Shell } from '@keelson/core/command';
import { seed } from './seed.ts';

const Amounts = z.object({
  tickets: z.coerce.number().int().min(1).max(50_000_000).default(10_000),
  companies: z.coerce.number().int().min(1).max(100_000).default(50),
});

export async function runSeed({ open, print }: Shell, input: CommandInput): Promise<void> {
  const { success, data, error } = Amounts.safeParse(input);
  if (!success) throw new Error(error.issues.map((each) => `--${each.path.join('.')}: ${each.message}`).join('\n'));
  const { perSecond } = await seed(await open(), { ...data, progress: true });
  print(`${data.tickets} tickets of ${data.companies} companies: ${perSecond} tickets a second`);
}
