// The address map of a network, as drawn in the console.
import test from 'ava';
import { blockOf, rangeOf } from '../modules/inventory/console/address-map.ts';

const network = (over: object = {}) => ({
  network_address: '192.168.4.0',
  subnet_mask: '255.255.255.0',
  gateway: '192.168.4.1',
  ip_assignments: [
    { ip_address: '192.168.4.10', asset_id: 7, machine_name: 'SRV1', assignment_type: 'static' },
    { ip_address: '192.168.4.200', asset_id: null, machine_name: null, assignment_type: 'dhcp' },
  ],
  ...over,
});

test('each address of a network is assigned, responding, the gateway, unusable or free', (t) => {
  const { blocks = 0, addresses = [] } = blockOf(network(), 0) ?? {};
  t.is(blocks, 1);
  t.is(addresses.length, 256);
  const states = [0, 1, 2, 10, 200, 255].map((at) => [addresses[at]?.address, addresses[at]?.state]);
  t.deepEqual(states, [
    ['192.168.4.0', 'reserved'],
    ['192.168.4.1', 'gateway'],
    ['192.168.4.2', 'free'],
    ['192.168.4.10', 'asset'],
    ['192.168.4.200', 'unknown'],
    ['192.168.4.255', 'reserved'],
  ]);
  t.is(addresses[10]?.assignment?.machine_name, 'SRV1');
});

test('a large network has several blocks, and a small one only its own addresses', (t) => {
  const large = network({ subnet_mask: '255.255.252.0' });
  t.is(blockOf(large, 0)?.blocks, 4);
  t.is(blockOf(large, 3)?.addresses[0]?.address, '192.168.7.0');
  t.is(blockOf(large, 3)?.addresses.at(-1)?.state, 'reserved');
  const small = network({ network_address: '10.0.0.8', subnet_mask: '255.255.255.252', gateway: '' });
  t.deepEqual(
    blockOf(small, 0)?.addresses.map((each) => [each.address, each.state]),
    [
      ['10.0.0.8', 'reserved'],
      ['10.0.0.9', 'free'],
      ['10.0.0.10', 'free'],
      ['10.0.0.11', 'reserved'],
    ],
  );
  const pair = network({ network_address: '10.0.0.8', subnet_mask: '255.255.255.254', gateway: '' });
  t.deepEqual(
    blockOf(pair, 0)?.addresses.map((each) => each.state),
    ['free', 'free'],
  );
});

test('IPv6 networks have no map, the largest IPv4 network has one', (t) => {
  t.is(rangeOf(network({ network_address: '2001:db8::', subnet_mask: '/64' })), undefined);
  t.is(blockOf(network({ network_address: '0.0.0.0', subnet_mask: '0.0.0.0' }), 0)?.blocks, 2 ** 24);
});
