import { command } from '@keelson/core/command';

export default [
  command(
    'demo',
    'Starts a demo provider with two customers and a month of activity: npm run demo',
    [
      { flags: '--fresh', meaning: 'with DATABASE_URL: replace the previous demo there' },
      { flags: '--keep', meaning: 'continue with the previous demo, if any, as npm run dev does' },
    ],
    async (shell, { fresh, keep }) => {
      const { runDemo } = await import('./demo.ts');
      await runDemo(shell, { fresh: fresh === true, keep: keep === true });
    },
  ),
  command(
    'seed',
    'Adds large amounts of data for performance tests: npm run seed -- --tickets 1000000 --companies 2000',
    [
      { flags: '--tickets <number>', meaning: 'number of tickets (default 10000)' },
      { flags: '--companies <number>', meaning: 'number of companies (default 50)' },
    ],
    async (shell, input) => {
      const { runSeed } = await import('./seed/seed-command.ts');
      await runSeed(shell, input);
    },
  ),
];
