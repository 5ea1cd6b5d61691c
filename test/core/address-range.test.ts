import test from 'ava';
import { addressRange, isWithin } from '../../modules/accounts/keys/address-range.ts';

test('an address or range has one canonical form', (t) => {
  for (const [text, spelling] of [
    ['192.0.2.7', '192.0.2.7'],
    [' 10.1.2.3/8 ', '10.0.0.0/8'],
    ['2001:DB8::1', '2001:db8::1'],
    ['2001:db8:0:1::9/64', '2001:db8:0:1::/64'],
    ['::ffff:10.0.0.1', '10.0.0.1'],
    ['::ffff:10.0.0.0/104', '10.0.0.0/8'],
    ['192.0.2.7/32', '192.0.2.7'],
    ['10.1', undefined],
    ['10/8', undefined],
    ['10.0.0.0/33', undefined],
    ['10.0.0.0/8/9', undefined],
    ['10.0.0.0/', undefined],
    ['0x7f.0.0.1', undefined],
    ['fe80::1%eth0', undefined],
    ['example.com', undefined],
    ['', undefined],
  ] as const)
    t.is(addressRange(text), spelling, text);
});

test('containment of an address or range', (t) => {
  const office = ['192.0.2.0/24', '2001:db8::/32'];
  t.true(isWithin('192.0.2.255', office));
  t.true(isWithin('::ffff:192.0.2.1', office));
  t.true(isWithin('192.0.2.128/25', office));
  t.true(isWithin('2001:db8:ffff::/48', office));
  t.false(isWithin('192.0.3.0', office));
  t.false(isWithin('192.0.0.0/16', office));
  t.false(isWithin('unknown', ['0.0.0.0/0', '::/0']));
  t.false(isWithin('192.0.2.1', ['::/0']));
  t.false(isWithin('192.0.2.1', []));
});
