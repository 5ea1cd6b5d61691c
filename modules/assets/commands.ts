import { command } from '@keelson/core/command';

export default [
  command(
    'import-assets',
    'Imports assets from a CSV or JSON file of any size: npm run cli -- import-assets --file assets.csv --company 7',
    [
      { flags: '--file <path>', meaning: 'file to import, in UTF-8', required: true },
      { flags: '--company <number>', meaning: 'default company for rows without one' },
      {
        flags: '--update-existing',
        meaning: 'updates assets whose serial number already exists instead of reporting an error',
      },
      { flags: '--dry-run', meaning: 'validates the file without storing anything' },
    ],
    async (shell, input) => {
      const { runImport } = await import('./import/import-command.ts');
      await runImport(shell, input);
    },
  ),
];
