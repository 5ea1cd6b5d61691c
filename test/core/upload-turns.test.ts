import { startApp } from '@keelson/testing';
import test from 'ava';
import { inUploadTurn } from '../../core/http/body/receive-files.ts';

test('a company takes at most half of the uploads, however many people it has', async (t) => {
  const { app } = await startApp(t);
  const { promise: over, resolve: end } = Promise.withResolvers<void>();
  const upload = (owner: string, person: number) =>
    inUploadTurn(app, { caller: `${owner} ${person}`, owner }, () => over);
  const refused = { message: 'Too many uploads at once' };

  const running = Array.from({ length: 4 }, () => upload('company:1', 0));
  await t.throwsAsync(upload('company:1', 0), refused, 'a person has four');
  for (let n = 4; n < 32; n++) running.push(upload('company:1', n));
  await t.throwsAsync(upload('company:1', 99), refused);
  running.push(upload('company:2', 1));
  for (let n = 0; n < 31; n++) running.push(upload('company:3', n));
  await t.throwsAsync(upload('company:2', 2), refused, 'all are in use');
  end();
  await Promise.all(running);
  await t.notThrowsAsync(upload('company:1', 0));
});
