// Finds the devices of a network, with nmap if installed or the built-in scan otherwise.
import { scannable, type Block } from './networks.ts';
import { hasNmap, scanWithNmap } from './nmap.ts';
import { scanAddresses } from './tcp-scan.ts';
import { vendorOf } from './vendors.ts';

export interface Found {
  readonly ip_address: string;
  readonly mac_address?: string;
  readonly hostname?: string;
  readonly manufacturer?: string;
  readonly open_ports?: readonly number[];
}

/**
 * Returns the hosts that respond. Only the address is known for hosts behind a router.
 * @throws Error if the network may not be scanned
 */
export async function scan(
  network: string,
  type: string,
  { scanner, allowed }: { readonly scanner: string; readonly allowed: readonly Block[] },
): Promise<Found[]> {
  const { text } = scannable(network, allowed);
  const useNmap = scanner === 'nmap' || (scanner === 'auto' && (await hasNmap()));
  const found = useNmap ? await scanWithNmap(text, type) : await scanAddresses(text, type);
  return found.map((each) => {
    const manufacturer = each.manufacturer ?? (each.mac_address === undefined ? undefined : vendorOf(each.mac_address));
    return manufacturer === undefined ? each : { ...each, manufacturer };
  });
}
