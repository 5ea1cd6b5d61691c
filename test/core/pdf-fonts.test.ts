// Fonts of PDFs: system fonts fill the gaps of ours, and administrators are notified of characters that no font has.
import { mkdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { startApp, testClock, type TestApp } from '@keelson/testing';
import test from 'ava';
import { pdfStream } from '../../core/files/documents.ts';
import { readTroubles } from '../../core/plugin/troubles.ts';
import { makeFolder } from '../_folder.ts';
import { copyInstallation } from './_installation.ts';
import { pagesOf, textOf } from './_pdf-text.ts';

async function textWith({ app }: TestApp, subject: string): Promise<string> {
  const columns = [{ key: 'subject', label: 'Subject' }];
  const rows = (async function* () {
    yield [{ subject }];
  })();
  const pdf = await pdfStream(app.system(), { title: 'Tickets', filters: [], columns, rows });
  return textOf(pagesOf(Buffer.concat(await pdf.toArray()))[0] ?? []);
}

test('administrators are told for seven days which characters no font can draw', async (t) => {
  const clock = testClock();
  const app = await startApp(t, { clock, config: { fontsDir: makeFolder(t) } });
  const told = async () => (await readTroubles(app.app.system())).filter(({ kind }) => kind === 'fonts');
  t.true((await textWith(app, 'Größe Ωλ 打印机 서버 🔧 \ue000')).includes('打印机 서버 🔧'));
  t.deepEqual(await told(), [], 'private-use characters are no letters');
  t.true((await textWith(app, 'Bengali ক ক')).includes('Bengali � �'));
  await textWith(app, 'Tamil அ');
  const [trouble] = await told();
  t.regex(trouble?.detail ?? '', /shown as �: அক\. Install a font/);
  t.like((await app.request('GET', '/ready')).body, { fonts_missing: true });
  clock.set('2026-03-20T09:00:00.000Z');
  t.deepEqual(await told(), []);
});

test('without the Chinese and Korean packages, system fonts are used or reported missing', async (t) => {
  const { folder, node } = copyInstallation(t);
  rmSync(join(folder, 'node_modules/@embedpdf'));
  const fonts = join(makeFolder(t), 'opentype');
  mkdirSync(fonts);
  const file = (script: string, name: string) => resolve(`node_modules/@embedpdf/fonts-${script}/fonts/${name}`);
  symlinkSync(file('sc', 'NotoSansHans-Regular.otf'), join(fonts, 'NotoSansSC-Regular.otf'));
  symlinkSync(file('kr', 'NotoSansKR-Regular.otf'), join(fonts, 'NotoSansKR-Regular.otf'));
  writeFileSync(
    join(folder, 'document.ts'),
    `import { openApp } from '@keelson/testing';
    import { readTroubles } from '@keelson/core/plugin';
    import { pdfPaper } from '@keelson/core/files';
    const { app, close } = await openApp({ config: { fontsDir: process.argv[2] } });
    const ctx = app.system();
    const rows = [['打印机'], ['プリンター'], ['프린터']];
    const to = { label: 'To', lines: [] };
    const paper = { title: 'Invoice 1', from: 'ACME', colour: '#1e3a5f', to, facts: [], sums: [], notes: '' };
    const pdf = await pdfPaper(ctx, { ...paper, columns: [{ label: 'Item' }], rows });
    const bytes = Buffer.concat(await pdf.toArray()).toString('base64');
    console.log(JSON.stringify({ bytes, troubles: await readTroubles(ctx) }));
    await close();`,
  );
  const documentWith = async (fontsDir: string) => {
    const { bytes, troubles } = JSON.parse(await node('document.ts', fontsDir));
    return { text: textOf(pagesOf(Buffer.from(bytes, 'base64'))[0] ?? []), troubles };
  };
  const drawn = await documentWith(join(fonts, '..'));
  for (const each of ['打印机', 'プリンター', '프린터']) t.true(drawn.text.includes(each), drawn.text);
  t.deepEqual(drawn.troubles, []);
  const missed = await documentWith(folder);
  t.false(missed.text.includes('打'));
  t.regex(missed.troubles[0].detail, /打印机プリンタ/);
});
