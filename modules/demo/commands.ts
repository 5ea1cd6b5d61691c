import { z } from '@keelson/core';
import { command } from '@keelson/core/plugin';

const Amounts = z.object({
  tickets: z.coerce.number().int().min(1).max(50_000_000).default(10_000),
  companies: z.coerce.number().int().min(1).max(100_000).default(50),
});

export default [
  command(
    'demo',
    'Starts a service provider with two customers and a month of work, to look around in: npm run demo',
    [
      { flags: '--fresh', meaning: 'on DATABASE_URL: delete the former demo there and make a new one' },
      { flags: '--keep', meaning: 'go on with the former demo, if there is one, as npm run dev does' },
    ],
    async (shell, { fresh, keep }) => {
      const { runDemo } = await import('./demo.ts');
      await runDemo(shell, { fresh: fresh === true, keep: keep === true });
    },
  ),
  command(
    'seed',
    'Adds much data for tests of speed: npm run seed -- --tickets 1000000 --companies 2000',
    [
      { flags: '--tickets <number>', meaning: 'how many tickets, 10000 without it' },
      { flags: '--companies <number>', meaning: 'how many companies they are of, 50 without it' },
    ],
    async ({ open, print }, options) => {
      const { success, data, error } = Amounts.safeParse(options);
      if (!success) throw new Error(error.issues.map((each) => `--${each.path.join('.')}: ${each.message}`).join('\n'));
      const { seed } = await import('./seed.ts');
      const { perSecond } = await seed(await open(), { ...data, progress: true });
      print(`${data.tickets} tickets of ${data.companies} companies: ${perSecond} tickets a second`);
    },
  ),
];
