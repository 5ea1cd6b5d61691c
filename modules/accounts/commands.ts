import { command } from '@keelson/core/command';

export default [
  command(
    'staff add',
    'Adds a technician, or sets a new password for an existing one: npm run staff -- add "Ada Byron" --email ada@example.com',
    [
      { flags: '--email <address>', meaning: 'sign-in email', required: true },
      { flags: '--name <name>', meaning: 'name, if not given as the first argument' },
      { flags: '--role <role>', meaning: 'administrator or technician (default)' },
      { flags: '--password <password>', meaning: 'password (default: generated and printed)' },
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
      { flags: '--name <name>', meaning: 'name, if not given as the first argument' },
      { flags: '--type <type>', meaning: 'admin (default), crm_secret, crm_public_live or crm_public_test' },
      { flags: '--permissions <list>', meaning: 'comma-separated permissions' },
    ],
    async (shell, input) => {
      const { runKeyCreate } = await import('./command-runs.ts');
      await runKeyCreate(shell, input);
    },
  ),
  command(
    'staff reset-mfa',
    'Resets a technician’s two-factor authentication after a lost phone and recovery codes',
    [{ flags: '--email <address>', meaning: 'email of the technician', required: true }],
    async (shell, input) => {
      const { runResetMfa } = await import('./command-runs.ts');
      await runResetMfa(shell, input);
    },
  ),
];
