// A session that ends in one process ends at once in the others that share a Redis.
import { setTimeout as sleep } from 'node:timers/promises';
import { startApp } from '@keelson/testing';
import test from 'ava';
import { technicianByCookie } from '../../modules/accounts/sessions/technician-session.ts';
import { newId } from '../../packages/kit/random.ts';
import { openCounters } from '../../packages/security/limiter.ts';
import { alone } from '../../packages/security/others.ts';
import { seedTechnician, signInOnPage, postForm } from '../accounts-seed.ts';
import { secondProcess } from './_second-process.ts';

const redisUrl = process.env['TEST_REDIS_URL'] ?? 'redis://127.0.0.1:6379';

test('a sign-out reaches other processes before their caches expire', async (t) => {
  const one = await startApp(t);
  const { app } = one;
  const config = { ...app.config, redisUrl, tenantSlug: `others-${newId()}` };
  const [here, there] = [await openCounters(config, app.log), await openCounters(config, app.log)];
  t.teardown(() => here.limiter.close());
  const two = await secondProcess(t, one, { limiter: there.limiter, others: there.others });
  t.teardown(() => Object.assign(app, { others: alone }));
  Object.assign(app, { others: here.others });
  const cookie = await signInOnPage(one, await seedTechnician(one));
  const [, secret = ''] = cookie.split('=');
  const known = () => technicianByCookie(two, secret, {});
  t.truthy(await known());
  const heard: string[] = [];
  there.others.listen((what) => void heard.push(what));
  const hears = async (what: string, tell = () => {}) => {
    for (; !heard.includes(what); await sleep(10)) tell();
  };
  // Both are connected then.
  await hears('connected', () => here.others.tell('connected'));
  const { status } = await postForm(one, '/admin/logout', {}, { Cookie: cookie });
  t.is(status, 303);
  await hears('technician_session');
  t.is(await known(), undefined);
});
