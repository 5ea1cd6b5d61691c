import {
  addressesBetween,
  addressKey,
  addressOfKey,
  blockOf,
  ipNetwork,
  keyAfter,
  maskBits,
  readAddress,
} from '@keelson/core/kit';
import test from 'ava';

const network = (text: string) => ipNetwork(blockOf(text) ?? { address: undefined as never, bits: 0 });

test('an address has one canonical form, and keys sort by address', (t) => {
  t.is(readAddress('2001:DB8:0:0::1'), '2001:db8::1');
  t.is(readAddress('::ffff:192.0.2.7'), '192.0.2.7');
  for (const bad of ['10.0.0.0/8', '10.0.0.1/32', '10.1', 'x', '']) t.is(readAddress(bad), undefined, bad);
  const inOrder = ['0.0.0.0', '9.255.255.255', '10.0.0.1', '10.0.0.10', '255.255.255.255', '::', '::1', 'ffff::'];
  t.deepEqual(inOrder.map(addressKey).toSorted(), inOrder.map(addressKey));
  for (const each of inOrder) t.is(addressOfKey(addressKey(each)), each);
  t.throws(() => addressKey('10.1'));
});

test('a network is the key range from its first to its last address', (t) => {
  const v4 = network('10.1.2.77/22');
  t.like(v4, { address: '10.1.0.0', mask: '255.255.252.0', bits: 22 });
  t.is(addressOfKey(v4.last_key), '10.1.3.255');
  t.is(addressesBetween(v4.first_key, v4.last_key), 1024n);
  const v6 = network('2001:db8::77/64');
  t.like(v6, { address: '2001:db8::', mask: '/64' });
  t.is(addressOfKey(v6.last_key), '2001:db8::ffff:ffff:ffff:ffff');
  t.is(addressesBetween(v6.first_key, v6.last_key), 2n ** 64n);
  t.is(network('0.0.0.0/0').last_key, '4ffffffff');
  t.is(network('::/0').first_key, `6${'0'.repeat(32)}`);
  t.is(network('10.0.0.1').first_key, network('10.0.0.1').last_key);
  t.is(keyAfter(v4.first_key), addressKey('10.1.0.1'));
  t.is(keyAfter(addressKey('255.255.255.255')), undefined, 'the family ends');
});

test('masks are accepted in all notations', (t) => {
  for (const text of ['255.255.255.0', '/24', '24']) t.is(maskBits(text, 'ipv4'), 24);
  for (const text of ['ffff:ffff:ffff:ffff::', '/64', '64']) t.is(maskBits(text, 'ipv6'), 64);
  t.is(maskBits('0.0.0.0', 'ipv4'), 0);
  for (const text of ['255.0.255.0', '/33', '-1', 'x', '', 'ffff::', '255.255.255.0/24'])
    t.is(maskBits(text, 'ipv4'), undefined, text);
  t.is(maskBits('255.255.255.0', 'ipv6'), undefined);
});
