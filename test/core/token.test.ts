import { createHmac, generateKeyPairSync, randomBytes } from 'node:crypto';
import test from 'ava';
import jwt from 'jsonwebtoken';
import { signAccess, tokenVerifier, verifyAccess } from '../../modules/accounts/sessions/token.ts';
import { plus } from '../../packages/kit/time.ts';

const now = '2026-11-21T09:30:00.000Z';
const baseUrl = 'https://desk.example.com';
const key = { kid: 'k2', secret: randomBytes(32) };
const older = { kid: 'k1', secret: randomBytes(32) };
const options = { baseUrl, tenant: 'acme', keys: [key, older] };
const input = { baseUrl, tenant: 'acme', subject: '5', session: 'abc', ttlSeconds: 900, now };

const iat = Date.parse(now) / 1000;
const header = { alg: 'HS256', typ: 'at+jwt', kid: 'k2' };
const claims = {
  iss: baseUrl,
  aud: 'helpdesk',
  sub: '5',
  tenant: 'acme',
  sid: 'abc',
  jti: 'j',
  iat,
  nbf: iat,
  exp: iat + 900,
};

const encode = (value: unknown) =>
  Buffer.from(typeof value === 'string' ? value : JSON.stringify(value)).toString('base64url');

function forge(head: unknown, body: unknown, secret: Buffer | string = key.secret, hash = 'sha256'): string {
  const text = `${encode(head)}.${encode(body)}`;
  return `${text}.${createHmac(hash, secret).update(text).digest('base64url')}`;
}

test('a signed token verifies and contains the claims of A-06', (t) => {
  const token = signAccess(input, key);
  const read = verifyAccess(token, { ...options, now });
  t.like(read, { ...claims, jti: read?.jti });
  t.deepEqual(jwt.decode(token, { complete: true })?.header, { alg: 'HS256', typ: 'at+jwt', kid: 'k2' });
  t.truthy(verifyAccess(signAccess(input, older), { ...options, now }), 'an older key of ours');
  t.truthy(verifyAccess(forge(header, claims), { ...options, now }), 'the forgeries below start from a good token');
});

test('a token is valid from 30 s before its start until 30 s after its end', (t) => {
  const token = signAccess(input, key);
  const at = (seconds: number) => verifyAccess(token, { ...options, now: plus(now, { seconds }) }) !== undefined;
  t.deepEqual([-31, -30, 0, 900, 929, 930, 1e6].map(at), [false, true, true, true, true, false, false]);
});

function forgeries(): [string, string][] {
  const list: [string, string][] = [];
  const add = (name: string, token: string) => list.push([name, token]);
  const good = signAccess(input, key);
  const [h = '', p = '', s = ''] = good.split('.');
  for (const name of Object.keys(claims)) {
    const { [name as keyof typeof claims]: _, ...rest } = claims;
    add(`no ${name}`, forge(header, rest));
    for (const value of [null, {}, ['helpdesk'], true, '', -1, 1.5])
      add(`${name} is ${JSON.stringify(value)}`, forge(header, { ...claims, [name]: value }));
  }
  for (const alg of [
    'none',
    'None',
    'NONE',
    '',
    'hs256',
    'HS384',
    'HS512',
    'RS256',
    'ES256',
    'PS256',
    null,
    ['HS256'],
  ]) {
    add(`alg ${JSON.stringify(alg)}`, forge({ ...header, alg }, claims));
    add(`alg ${JSON.stringify(alg)}, no signature`, `${encode({ ...header, alg })}.${encode(claims)}.`);
  }
  add('HS384 signed so', forge({ ...header, alg: 'HS384' }, claims, key.secret, 'sha384'));
  add('HS512 signed so', forge({ ...header, alg: 'HS512' }, claims, key.secret, 'sha512'));
  for (const typ of ['JWT', 'at+JWT', 'AT+jwt', 'refresh', undefined, null])
    add(`typ ${JSON.stringify(typ)}`, forge({ ...header, typ }, claims));
  for (const kid of ['k3', '', 'K2', '../../dev/null', "' or 1=1", '__proto__', undefined, null, 0, ['k2']]) {
    add(`kid ${JSON.stringify(kid)}`, forge({ ...header, kid }, claims));
    add(`kid ${JSON.stringify(kid)}, empty secret`, forge({ ...header, kid }, claims, ''));
  }
  for (const [name, value] of Object.entries({
    jku: 'https://evil.example',
    jwk: { kty: 'oct', k: 'AA' },
    x5u: 'https://evil.example',
    x5c: ['AA'],
    crit: ['exp'],
    b64: false,
    zip: 'DEF',
    cty: 'JWT',
  }))
    add(`header ${name}`, forge({ ...header, [name]: value }, claims));
  add('key of the other kid', forge({ ...header, kid: 'k1' }, claims));
  for (const iss of [
    'https://desk.example.com/',
    'http://desk.example.com',
    'https://DESK.example.com',
    'https://evil.example',
    `${baseUrl}.evil`,
  ])
    add(`iss ${iss}`, forge(header, { ...claims, iss }));
  for (const aud of ['admin', 'Helpdesk', 'helpdesk ', ['helpdesk', 'admin']])
    add(`aud ${JSON.stringify(aud)}`, forge(header, { ...claims, aud }));
  for (const tenant of ['other', 'Acme', 'acme ']) add(`tenant ${tenant}`, forge(header, { ...claims, tenant }));
  add('expired', forge(header, { ...claims, exp: iat - 31 }));
  add('not yet', forge(header, { ...claims, nbf: iat + 31 }));
  add('from the future', forge(header, { ...claims, iat: iat + 3600 }));
  for (const bad of [
    '',
    '.',
    '..',
    '...',
    'a.b.c',
    h,
    `${h}.${p}`,
    `${h}.${p}.`,
    `.${p}.${s}`,
    `${h}..${s}`,
    `${good}.`,
    `${good}.${s}`,
    `${good}=`,
    ` ${good}`,
    `${good} `,
    `${good}\n`,
    `Bearer ${good}`,
    'x'.repeat(100_000),
  ])
    add(`text ${bad.slice(0, 20)}`, bad);
  add('claims are no object', forge(header, '"helpdesk"'));
  add('claims are no JSON', forge(header, '{'));
  add('header is no JSON', forge('{', claims));
  for (const at of [0, 10, 20, 30, 42])
    add(`signature ${at}`, `${h}.${p}.${s.slice(0, at)}${s[at] === 'A' ? 'B' : 'A'}${s.slice(at + 1)}`);
  const last = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_'.indexOf(s.at(-1)!);
  add(
    'the same signature spelt otherwise',
    `${h}.${p}.${s.slice(0, -1)}${'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_'[last ^ 1]}`,
  );
  add('other claims under a good signature', `${h}.${encode({ ...claims, sub: '1' })}.${s}`);
  const pair = generateKeyPairSync('rsa', { modulusLength: 2048 });
  add('RS256', jwt.sign(claims, pair.privateKey, { algorithm: 'RS256', header: { ...header, alg: 'RS256' } }));
  add('signed with the public key', forge(header, claims, pair.publicKey.export({ type: 'spki', format: 'pem' })));
  add('another secret', forge(header, claims, randomBytes(32)));
  return list;
}

test('forged tokens are rejected', (t) => {
  const list = forgeries();
  const verify = tokenVerifier(options);
  t.true(list.length >= 60);
  t.log(`${list.length} forgeries`);
  for (const [name, token] of list) {
    t.is(verifyAccess(token, { ...options, now }), undefined, name);
    t.is(verify(token, now), undefined, name);
  }
});

test('the verifier caches valid tokens and still lets them expire', (t) => {
  const verify = tokenVerifier(options, 2);
  const token = signAccess(input, key);
  const first = verify(token, now);
  t.like(first, { sub: '5' });
  t.is(verify(token, now), first);
  t.truthy(verify(token, plus(now, { seconds: 929 })));
  t.is(verify(token, plus(now, { seconds: 930 })), undefined);
  t.is(verify(token, plus(now, { seconds: -31 })), undefined);
  const started = performance.now();
  for (let i = 0; i < 10_000; i++) verify(token, now);
  t.log(`${((performance.now() - started) / 10).toFixed(2)} µs per cached token`);
});
