import { startApp } from '@keelson/testing';
import test from 'ava';
import { inImportTurn } from '../../core/http/import-turn.ts';

test('one company takes at most half of the slots, and collectors take none of those reserved for people', async (t) => {
  const { app } = await startApp(t);
  const { promise: over, resolve: end } = Promise.withResolvers<void>();
  const people = (owner: string) => inImportTurn(app, { kind: 'people', owner }, () => over);
  const programs = (owner: string) => inImportTurn(app, { kind: 'programs', owner }, () => over);
  const refused = { message: 'Another import is still running' };

  const running = [people('company:1'), programs('company:1')];
  await t.throwsAsync(people('company:1'), refused);
  await t.throwsAsync(programs('company:1'), refused, 'a second collector of the company waits');
  running.push(people('company:2'), programs('company:2'));
  await t.throwsAsync(people('company:3'), refused);
  end();
  await Promise.all(running);
  await t.notThrowsAsync(people('company:1'));
});
