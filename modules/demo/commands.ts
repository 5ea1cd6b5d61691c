import { command } from '@keelson/core/command';

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
    async (shell, input) => {
      const { runSeed } = await import('./seed-command.ts');
      await runSeed(shell, input);
    },
  ),
];
