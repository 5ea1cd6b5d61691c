// Keeps outgoing requests, such as webhooks, away from the installation's own ports.
import { addressesOf } from '@keelson/kit/addresses.ts';
import { egress, type Egress } from '@keelson/security/egress.ts';
import { SENTINEL } from '@keelson/security/redis/redis-client.ts';
import type { Config } from '../../config/config.ts';

/** @param otherPorts ports of the process's other tenants */
export function egressOf(config: Config, otherPorts: readonly number[] = []): Egress {
  const { hostname } = new URL(config.baseUrl);
  const loopbackAllowed = hostname === 'localhost' || hostname === '[::1]' || hostname.startsWith('127.');
  return egress({
    allowCidrs: config.egressAllowCidrs,
    loopbackAllowed,
    ownPorts: [...portsOf(config), ...otherPorts],
  });
}

/** Returns our own ports, which webhooks must not reach: the server, the database, Redis (EV-08). */
export function portsOf({ port, databaseUrl, databaseReadUrl, redisUrl }: Config): number[] {
  const of = (url: string | undefined, usual: number) =>
    url ? addressesOf(url).map((each) => Number(new URL(each).port || usual)) : [];
  return [
    port,
    ...of(databaseUrl, 3306),
    ...of(databaseReadUrl, 3306),
    ...of(redisUrl, redisUrl?.startsWith(SENTINEL) ? 26_379 : 6379),
  ];
}
