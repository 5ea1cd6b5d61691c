import { command } from '@keelson/core/command';

export default [
  command(
    'import-assets',
    'Imports assets from a CSV or JSON file with any number of rows: npm run cli -- import-assets --file assets.csv --company 7',
    [
      { flags: '--file <path>', meaning: 'the file, in UTF-8', required: true },
      { flags: '--company <number>', meaning: 'the company of rows that name none' },
      { flags: '--update-existing', meaning: 'changes assets whose serial number is known, instead of refusing them' },
      { flags: '--dry-run', meaning: 'judges the file and stores nothing' },
    ],
    async (shell, input) => {
      const { runImport } = await import('./import/import-command.ts');
      await runImport(shell, input);
    },
  ),
];
