import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import type { Found } from './scan.ts';

const run = promisify(execFile);
const MAX_BYTES = 256 * 1024 * 1024;
const TIMEOUT_MS = 2 * 3600 * 1000;

export async function hasNmap(): Promise<boolean> {
  try {
    await run('nmap', ['--version']);
    return true;
  } catch {
    // Not installed, or not for us: the built-in scan does.
    return false;
  }
}

/** `quick` asks only who is there; anything else looks at the usual ports, too. */
export async function scanWithNmap(subnet: string, type: string): Promise<Found[]> {
  const what = type === 'quick' ? ['-sn'] : ['-F'];
  const family = subnet.includes(':') ? ['-6'] : [];
  const args = ['-oX', '-', '-T4', '--host-timeout', '2m', ...what, ...family, subnet];
  const { stdout } = await run('nmap', args, { maxBuffer: MAX_BYTES, timeout: TIMEOUT_MS });
  return readNmap(stdout);
}

/** The hosts that are up, from nmap's XML, whose elements are flat enough to be picked out. */
export function readNmap(xml: string): Found[] {
  return [...xml.matchAll(/<host\b[^>]*>(.*?)<\/host>/gs)].flatMap(([, host = '']) => {
    const ip_address = /<address addr="([^"]+)" addrtype="ipv[46]"/.exec(host)?.[1];
    if (ip_address === undefined || !/<status state="up"/.test(host)) return [];
    const [, mac, vendor] = /<address addr="([^"]+)" addrtype="mac"(?: vendor="([^"]*)")?/.exec(host) ?? [];
    const hostname = /<hostname name="([^"]+)"/.exec(host)?.[1];
    const ports = host.matchAll(/<port protocol="tcp" portid="(\d+)"><state state="open"/g);
    return {
      ip_address,
      ...(mac !== undefined && { mac_address: mac.toLowerCase() }),
      ...(hostname !== undefined && { hostname }),
      ...(vendor !== undefined && { manufacturer: plain(vendor) }),
      open_ports: [...ports].map(([, port]) => Number(port)),
    };
  });
}

const entities: ReadonlyMap<string, string> = new Map([
  ['&lt;', '<'],
  ['&gt;', '>'],
  ['&quot;', '"'],
  ['&apos;', "'"],
  ['&amp;', '&'],
]);
const plain = (text: string): string => text.replaceAll(/&\w+;/g, (each) => entities.get(each) ?? each);
