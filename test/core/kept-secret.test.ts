import test from 'ava';
import { keptSecret } from '../../packages/security/kept-secret.ts';

test('a secret is kept for the same scheme, host and port, whatever the path', (t) => {
  const before = 'https://api.example.com/v1';
  for (const after of [before, 'https://api.example.com/v2', 'https://API.example.com:443/v1?x=1'])
    t.is(keptSecret('sealed', before, after), 'sealed', after);
  for (const after of [
    'https://api.example.org/v1',
    'http://api.example.com/v1',
    'https://api.example.com:8443/v1',
    'https://api.example.com@evil.example/v1',
    'nothing',
  ])
    t.is(keptSecret('sealed', before, after), undefined, after);
});

test('no secret is no secret anywhere, and one stored without a URL is kept nowhere', (t) => {
  t.is(keptSecret('', 'https://a.example', 'https://b.example'), '');
  t.is(keptSecret('sealed', '', ''), undefined);
});
