import { command } from '@keelson/core/command';

export default [
  command(
    'staff add',
    'Adds a technician, or gives one who is there a new password: npm run staff -- add "Ada Byron" --email ada@example.com',
    [
      { flags: '--email <address>', meaning: 'the e-mail address to sign in with', required: true },
      { flags: '--name <name>', meaning: 'the name, when it is not given first' },
      { flags: '--role <role>', meaning: 'administrator or technician (default)' },
      { flags: '--password <password>', meaning: 'the password; a random one is printed without it' },
    ],
    async (shell, input) => {
      const { runStaffAdd } = await import('./command-runs.ts');
      await runStaffAdd(shell, input);
    },
  ),
  command(
    'key create',
    'Creates an API key: npm run key -- create Monitoring --permissions tickets:read,assets:read',
    [
      { flags: '--name <name>', meaning: 'the name, when it is not given first' },
      { flags: '--type <type>', meaning: 'admin (default), crm_secret, crm_public_live or crm_public_test' },
      { flags: '--permissions <list>', meaning: 'what it may do, separated by commas' },
    ],
    async (shell, input) => {
      const { runKeyCreate } = await import('./command-runs.ts');
      await runKeyCreate(shell, input);
    },
  ),
  command(
    'staff reset-mfa',
    'Takes a technician’s second factor away, when the phone and the recovery codes are lost',
    [{ flags: '--email <address>', meaning: 'whose second factor', required: true }],
    async (shell, input) => {
      const { runResetMfa } = await import('./command-runs.ts');
      await runResetMfa(shell, input);
    },
  ),
];
