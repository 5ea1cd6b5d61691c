import { readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import test from 'ava';
import { guards, withoutGuard } from './_guards.ts';

const root = resolve(import.meta.dirname, '..');
const read = (file: string) => readFileSync(join(root, file), 'utf8');

test('every guard that can be removed is found once in its file', (t) => {
  const missing = guards.filter((each) => withoutGuard(read(each.file), each) === undefined);
  t.deepEqual(
    missing.map(({ file, text }) => [file, text]),
    [],
  );
});

test('every guard has a test that must notice its removal', (t) => {
  const missing = guards.filter(({ test: file, title }) => {
    const source = read(`test/${file}.test.ts`);
    return !title.split('*').every((each) => source.includes(each));
  });
  t.deepEqual(
    missing.map(({ test: file, title }) => [file, title]),
    [],
  );
});
