// Finds the devices of a network: with nmap where it is installed, otherwise by itself.
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

// It becomes an argument of a program: nothing that could be an option.
const SUBNET = /^[0-9a-fA-F][0-9a-fA-F.:]*\/\d{1,3}$/;

/** The devices that answer and can be told apart: by MAC address or host name. */
export async function scan(subnet: string, type: string, scanner: string): Promise<Found[]> {
  if (!SUBNET.test(subnet)) throw new Error(`${subnet} is no network`);
  const useNmap = scanner === 'nmap' || (scanner === 'auto' && (await hasNmap()));
  const found = useNmap ? await scanWithNmap(subnet, type) : await scanAddresses(subnet, type);
  return found
    .filter(({ mac_address, hostname }) => mac_address !== undefined || hostname !== undefined)
    .map((each) => {
      const manufacturer =
        each.manufacturer ?? (each.mac_address === undefined ? undefined : vendorOf(each.mac_address));
      return manufacturer === undefined ? each : { ...each, manufacturer };
    });
}
