import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import type { Found } from './scan.ts';

const run = promisify(execFile);
const MAX_BYTES = 64 * 1024 * 1024;
const TIMEOUT_MS = 2 * 3600 * 1000;

export async function hasNmap(): Promise<boolean> {
  try {
    await run('nmap', ['--version']);
    return true;
  } catch {
    // Not installed or not executable: fall back to the built-in scan.
    return false;
  }
}

/** Runs nmap. `quick` only detects hosts; other types also scan the common ports. */
export async function scanWithNmap(subnet: string, type: string): Promise<Found[]> {
  const what = type === 'quick' ? ['-sn'] : ['-F'];
  const family = subnet.includes(':') ? ['-6'] : [];
  const args = ['-oX', '-', '-T4', '--host-timeout', '2m', ...what, ...family, subnet];
  const { stdout } = await run('nmap', args, { maxBuffer: MAX_BYTES, timeout: TIMEOUT_MS });
  return readNmap(stdout);
}

/**
 * Extracts the hosts that are up from nmap's XML. The XML contains untrusted data from scanned hosts, so it is parsed
 * in a single forward pass.
 */
export function readNmap(xml: string): Found[] {
  const found: Found[] = [];
  for (let at = xml.indexOf('<host'); at >= 0;) {
    // Other tags share the prefix: <hosthint>, <hostnames>.
    const isHost = /[\s>]/.test(xml[at + 5] ?? '');
    const end = isHost ? xml.indexOf('</host>', at) : at + 5;
    if (end < 0) break;
    const host = isHost ? readHost(xml.slice(at, end)) : undefined;
    if (host) found.push(host);
    if (found.length === MOST_HOSTS) break;
    at = xml.indexOf('<host', end);
  }
  return found;
}

/** Host count of the largest network that can be scanned. */
const MOST_HOSTS = 65_536;
const MOST_PORTS = 1000;
/** Longer than any tag nmap writes. */
const LONGEST_TAG = 4096;

function readHost(text: string): Found | undefined {
  let up = false;
  let [ip, mac, vendor, ptr, typed]: (string | undefined)[] = [];
  let port: string | undefined;
  const open_ports: number[] = [];
  for (const { name, of } of tagsOf(text)) {
    if (name === 'status') up ||= of('state') === 'up';
    if (name === 'address' && of('addrtype') === 'mac') [mac, vendor] = [of('addr'), of('vendor')];
    else if (name === 'address') ip ??= of('addr');
    // The PTR record is the network's name for the host; a user-supplied name is only the fallback.
    if (name === 'hostname' && of('type') === 'PTR') ptr ??= of('name');
    else if (name === 'hostname') typed ??= of('name');
    if (name === 'port') port = of('protocol') === 'tcp' ? of('portid') : undefined;
    if (name === 'state' && of('state') === 'open' && port !== undefined && open_ports.length < MOST_PORTS)
      open_ports.push(Number(port));
  }
  if (!up || ip === undefined) return undefined;
  const hostname = ptr || typed;
  return {
    ip_address: ip,
    ...(mac && { mac_address: mac.toLowerCase() }),
    ...(hostname && { hostname: hostname.replace(/\.$/, '') }),
    ...(vendor && { manufacturer: vendor }),
    open_ports,
  };
}

interface Tag {
  readonly name: string;
  /** Returns the decoded value of an attribute. */
  readonly of: (attribute: string) => string | undefined;
}

function* tagsOf(text: string): Generator<Tag> {
  for (let at = text.indexOf('<'); at >= 0; at = text.indexOf('<', at + 1)) {
    const end = text.indexOf('>', at);
    if (end < 0) return;
    if (end - at > LONGEST_TAG) {
      at = end;
      continue;
    }
    const tag = text.slice(at + 1, end);
    const name = /^[a-z]{1,20}/.exec(tag)?.[0];
    at = end;
    if (name === undefined) continue;
    const given = new Map<string, string>();
    for (const [, key = '', value = ''] of tag.matchAll(/\s([\w-]{1,40})="([^"]*)"/g)) given.set(key, decoded(value));
    yield { name, of: (attribute) => given.get(attribute) };
  }
}

const entities: ReadonlyMap<string, string> = new Map([
  ['lt', '<'],
  ['gt', '>'],
  ['quot', '"'],
  ['apos', "'"],
  ['amp', '&'],
]);

/** Decodes named and numeric XML entities. Invalid characters become U+FFFD. */
function decoded(text: string): string {
  return text.replaceAll(/&(?:#(\d{1,7})|#x([0-9a-fA-F]{1,6})|(\w{1,10}));/g, (whole, decimal, hex, name) => {
    if (name !== undefined) return entities.get(name) ?? whole;
    const code = decimal === undefined ? Number.parseInt(hex, 16) : Number(decimal);
    const isText = code >= 32 && code <= 0x10_ff_ff && !(code >= 0xd8_00 && code <= 0xdf_ff);
    return isText ? String.fromCodePoint(code) : '\ufffd';
  });
}
