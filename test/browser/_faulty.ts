// A third-party plugin whose pages fail in every possible way.
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { anyCredential, consolePart, definePlugin } from '@keelson/core';

const files = {
  'good.tsx': 'export default function Good() {\n  return <h1>Bells</h1>;\n}\n',
  'unparsed.tsx': 'export default function Unparsed() {\n  return <p>;\n}\n',
  'throws.tsx': "export default function Throws() {\n  throw new Error('The bell is cracked');\n}\n",
  'panel.tsx': "throw new Error('The clapper is missing');\nexport default function Panel() {\n  return null;\n}\n",
} as const;

/** Creates the plugin; returns it with a function that removes its files. */
export function faultyPlugin() {
  const root = mkdtempSync(join(tmpdir(), 'keelson-bells-'));
  const folder = join(root, 'console');
  mkdirSync(folder);
  for (const [name, text] of Object.entries(files)) writeFileSync(join(folder, name), text);
  const page = (file: string, title: string, order: number) => ({
    path: `/bells/${file}`,
    title,
    file,
    access: anyCredential,
    nav: { section: 'knowledge', icon: 'book', order } as const,
  });
  const plugin = definePlugin({
    id: 'bells',
    title: 'Bells',
    console: consolePart(folder, {
      pages: [page('good', 'Bells', 90), page('unparsed', 'Unparsed bell', 91), page('throws', 'Cracked bell', 92)],
      panels: [{ slot: 'home.card', title: 'Clapper', file: 'panel', access: anyCredential }],
    }),
  });
  return { plugin, remove: () => rmSync(root, { recursive: true }) };
}
