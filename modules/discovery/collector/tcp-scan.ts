// Built-in scan: connects to the common ports of each address. A refused connection also reveals a host. Even without
// an open port, the neighbour table then holds the host's MAC address.
import { reverse } from 'node:dns/promises';
import { readFileSync } from 'node:fs';
import { connect } from 'node:net';
import { networkInterfaces } from 'node:os';
import type { Found } from './scan.ts';

const PORTS = [22, 25, 53, 80, 135, 139, 443, 445, 515, 631, 3306, 3389, 5900, 8080, 8443, 9100];
const QUICK_PORTS = [22, 80, 443];
const AT_ONCE = 400;
const TIMEOUT_MS = 700;
const NAME_TIMEOUT_MS = 2000;

export async function scanAddresses(subnet: string, type: string): Promise<Found[]> {
  const addresses = addressesOf(subnet);
  const open = new Map<string, number[]>();
  const tries = addresses.flatMap((ip) => (type === 'quick' ? QUICK_PORTS : PORTS).map((port) => ({ ip, port })));
  await eachOf(tries, AT_ONCE, async ({ ip, port }) => {
    const answer = await knock(ip, port);
    if (answer === 'silent') return;
    const ports = open.get(ip) ?? [];
    open.set(ip, ports);
    if (answer === 'open') ports.push(port);
  });
  const macs = new Map([...neighbours(), ...ownAddresses()]);
  const there = addresses.filter((ip) => open.has(ip) || macs.has(ip));
  const found: Found[] = [];
  await eachOf(there, 20, async (ip_address) => {
    const mac_address = macs.get(ip_address);
    const hostname = await nameOf(ip_address);
    found.push({
      ip_address,
      ...(mac_address !== undefined && { mac_address }),
      ...(hostname !== undefined && { hostname }),
      open_ports: (open.get(ip_address) ?? []).toSorted((a, b) => a - b),
    });
  });
  return found;
}

/** Returns the host addresses of an IPv4 network. */
export function addressesOf(subnet: string): string[] {
  const [address = '', length = ''] = subnet.split('/');
  const bytes = address.split('.').map(Number);
  const bits = Number(length);
  const wrong = bytes.length !== 4 || bytes.some((each) => !(each >= 0 && each <= 255)) || !(bits >= 16 && bits <= 32);
  if (wrong) throw new Error(`Without nmap only IPv4 networks of /16 or smaller can be scanned, not ${subnet}`);
  const size = 2 ** (32 - bits);
  const first = Math.floor(bytes.reduce((sum, each) => sum * 256 + each, 0) / size) * size;
  const all = Array.from({ length: size }, (_, i) => first + i);
  // Exclude the network and broadcast addresses, except in /31 and /32.
  const hosts = size > 2 ? all.slice(1, -1) : all;
  return hosts.map((n) => [24, 16, 8, 0].map((shift) => Math.floor(n / 2 ** shift) % 256).join('.'));
}

function knock(host: string, port: number): Promise<'open' | 'closed' | 'silent'> {
  return new Promise((resolve) => {
    const socket = connect({ host, port, timeout: TIMEOUT_MS });
    const end = (answer: 'open' | 'closed' | 'silent') => {
      socket.destroy();
      resolve(answer);
    };
    socket.on('connect', () => end('open'));
    // After a suspension the answer may have arrived, and is read first.
    socket.on('timeout', () => setImmediate(end, 'silent'));
    socket.on('error', (error: NodeJS.ErrnoException) => end(error.code === 'ECONNREFUSED' ? 'closed' : 'silent'));
  });
}

/** Returns the MAC addresses from the kernel's ARP table. Entries without flag 2 are incomplete. */
function neighbours(): [string, string][] {
  let table: string;
  try {
    table = readFileSync('/proc/net/arp', 'utf8');
  } catch {
    // Not Linux: only host names remain.
    return [];
  }
  return table.split('\n').flatMap((line): [string, string][] => {
    const [ip = '', , flags = '0', mac = ''] = line.trim().split(/\s+/);
    return (Number(flags) & 2) === 2 && mac !== '00:00:00:00:00:00' ? [[ip, mac.toLowerCase()]] : [];
  });
}

function ownAddresses(): [string, string][] {
  return Object.values(networkInterfaces())
    .flatMap((each) => each ?? [])
    .filter(({ family, internal }) => family === 'IPv4' && !internal)
    .map(({ address, mac }): [string, string] => [address, mac]);
}

async function nameOf(ip: string): Promise<string | undefined> {
  const late = new Promise<string[]>((resolve) => setTimeout(() => resolve([]), NAME_TIMEOUT_MS).unref());
  const names = await Promise.race([reverse(ip).catch(() => []), late]);
  return names[0]?.replace(/\.$/, '');
}

async function eachOf<T>(items: readonly T[], atOnce: number, work: (item: T) => Promise<void>): Promise<void> {
  let next = 0;
  const worker = async () => {
    for (let item = items[next++]; item !== undefined; item = items[next++]) await work(item);
  };
  await Promise.all(Array.from({ length: Math.min(atOnce, items.length) }, worker));
}
