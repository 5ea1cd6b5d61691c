// Tests the generator of docs/api.md. `npm run check` verifies that every operation has a comment and an example.
import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import test, { type ExecutionContext } from 'ava';
import { readEntry } from '../scripts/api-docs/entries.ts';
import { exampleFinder } from '../scripts/api-docs/examples.ts';
import { renderName, splitComment } from '../scripts/api-docs/render.ts';
import { makeFolder } from './_folder.ts';

function folderWith(t: ExecutionContext, files: Readonly<Record<string, string>>): string {
  const folder = makeFolder(t);
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), text);
  }
  return folder;
}

test('the subjects of an entry come from the comments above its blocks', (t) => {
  const folder = folderWith(t, {
    'core/index.ts': `// The whole.\n\n// Time: when it is.\nexport { now, type Zone as TimeZone } from './kit/time.ts';\n// The one to use.\nexport { z } from 'zod';\n`,
    'core/bare.ts': `// The whole.\n\nexport { now } from './kit/time.ts';\n`,
  });
  t.deepEqual(readEntry(folder, 'core', 'core/index.ts').sections, [
    {
      title: 'Time',
      comment: 'When it is.',
      exports: [
        { name: 'now', original: 'now', from: 'core/kit/time.ts', comment: '' },
        { name: 'TimeZone', original: 'Zone', from: 'core/kit/time.ts', comment: '' },
        { name: 'z', original: 'z', from: 'zod', comment: 'The one to use.' },
      ],
    },
  ]);
  t.throws(() => readEntry(folder, 'core', 'core/bare.ts'), { message: /without a heading/ });
});

test('the main entry exports what most plugins need; the rest is grouped by subject', (t) => {
  const { sections } = readEntry(join(import.meta.dirname, '..'), '@keelson/core', 'core/index.ts');
  const names = sections.flatMap(({ exports }) => exports);
  t.true(names.length <= 135, `${names.length} names`);
});

test('an example is the shortest complete statement from the best source that imports the name', (t) => {
  const imports = "import { count, when, type Sum } from '@keelson/core';\n";
  const exampleOf = exampleFinder(
    folderWith(t, {
      'plugins/README.md': `# Guide\n\n\`\`\`ts imports\n${imports}\`\`\`\n\n\`\`\`ts add\nconst many = count(\n  rows,\n);\nreturn count(rows);\n\`\`\`\n`,
      'plugins/warranty/plugin.ts': `${imports}// when() in a comment\nconst table = {\n  at: when(),\n};\n`,
      'modules/a/sums.ts': `${imports}when();\nexport function add(\n  one: number,\n): Promise<Sum> {\n  return one;\n}\n`,
      'modules/a/other.ts': "import { lone } from './lone.ts';\nlone();\n",
    }),
  );
  t.deepEqual(exampleOf('count', false), { path: 'plugins/README.md', code: 'return count(rows);' });
  t.deepEqual(exampleOf('when', false), { path: 'plugins/warranty/plugin.ts', code: 'at: when()' });
  t.deepEqual(exampleOf('Sum', true), {
    path: 'modules/a/sums.ts',
    code: 'function add(\n  one: number,\n): Promise<Sum> { … }',
  });
  t.is(exampleOf('lone', false), undefined);
});

test('a comment is split into text, tags and example', (t) => {
  const comment = 'Adds <both>.\n@param one the first of\n  both @throws RangeError when `a < b`\n@example sum(1, 2)';
  t.is(splitComment(comment).example, 'sum(1, 2)');
  t.is(
    renderName({ name: 'sum', signature: 'function sum(): void;', comment, example: { path: 'a.ts', code: 'sum();' } }),
    [
      '### sum\n',
      'Adds \\<both>.\n',
      '- `one`: the first of both\n- throws RangeError when `a < b`\n',
      '```ts\nfunction sum(): void;\n\n// a.ts\nsum();\n```\n',
    ].join('\n'),
  );
});
