import test from 'ava';
import { addressBucket, clientAddress } from '../../packages/security/address.ts';

const forwarded = (value: string) => ({ 'x-forwarded-for': value });

test('without trusted proxies the header is ignored', (t) => {
  t.is(clientAddress(forwarded('9.9.9.9'), '198.51.100.7', 0), '198.51.100.7');
  t.is(clientAddress({}, '::ffff:198.51.100.7', 0), '198.51.100.7');
  t.is(clientAddress({}, undefined, 0), 'unknown');
});

test('behind n proxies the caller is the nth entry from the right', (t) => {
  const headers = forwarded('1.1.1.1, 2.2.2.2 ,3.3.3.3');
  t.is(clientAddress(headers, '10.0.0.1', 1), '3.3.3.3');
  t.is(clientAddress(headers, '10.0.0.1', 2), '2.2.2.2');
  t.is(clientAddress(headers, '10.0.0.1', 3), '1.1.1.1');
  t.is(clientAddress(headers, '10.0.0.1', 4), '10.0.0.1');
  t.is(clientAddress({}, '10.0.0.1', 1), '10.0.0.1');
});

test('forged leading entries change nothing', (t) => {
  for (const spoof of ['9.9.9.9', '127.0.0.1, ::1', ', , ,', 'x'.repeat(5000), '9.9.9.9:80', "'; drop table"])
    t.is(clientAddress(forwarded(`${spoof}, 203.0.113.9`), '10.0.0.1', 1), '203.0.113.9');
});

test('an invalid entry falls back to the socket', (t) => {
  for (const bad of [
    '',
    'unknown',
    '_hidden',
    '1.2.3',
    '0x7f.1',
    '2130706433',
    '1.2.3.4.5',
    '256.1.1.1',
    '[1.2.3.4',
    '::g',
    '1.2.3.4:99999999',
  ])
    t.is(clientAddress(forwarded(`8.8.8.8, ${bad}`), '10.0.0.1', 1), '10.0.0.1', bad);
});

test('addresses have one canonical form', (t) => {
  const read = (entry: string) => clientAddress(forwarded(entry), '10.0.0.1', 1);
  t.is(read('203.0.113.9:4711'), '203.0.113.9');
  t.is(read('[2001:DB8:0::1]:443'), '2001:db8::1');
  t.is(read('2001:0db8::0001'), '2001:db8::1');
  t.is(read('::FFFF:203.0.113.9'), '203.0.113.9');
  t.is(read('::ffff:cb00:7109'), '203.0.113.9');
  t.is(read('fe80::1%eth0'), 'fe80::1');
});

test('an IPv6 caller is counted by its /64', (t) => {
  t.is(addressBucket('2001:db8:1:2:3:4:5:6'), '2001:db8:1:2::/64');
  t.is(addressBucket('2001:db8:1:2:ffff::1'), '2001:db8:1:2::/64');
  t.is(addressBucket('::1'), '0:0:0:0::/64');
  t.not(addressBucket('2001:db8:1:3::1'), addressBucket('2001:db8:1:2::1'));
  t.is(addressBucket('203.0.113.9'), '203.0.113.9');
  t.is(addressBucket('::ffff:203.0.113.9'), '203.0.113.9');
  t.is(addressBucket('unknown'), 'unknown');
});
