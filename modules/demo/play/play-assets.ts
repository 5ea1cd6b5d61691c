// The assets of the demo's customers: workstations, and at the main site a server, a switch with ports, a firewall and
// a printer.
import { dayOf, plus, type App } from '@keelson/core';
import type { Author } from '@keelson/core/log';
import { contextOf } from '@keelson/core/system';
import { addCredential, createAsset, mergeFoundPorts, type Asset } from '@keelson/modules/assets';
import type { Customer, Staff } from '../people.ts';

interface Cast {
  readonly staff: Staff;
  readonly customer: Customer;
  /** The third octet of its addresses, which also keeps its serial numbers distinct. */
  readonly net: number;
}

/** Adds the assets of a customer. Returns them. */
export async function playAssets(app: App, { staff, customer, net }: Cast): Promise<Asset[]> {
  const { user_id, name } = staff.technician;
  const author: Author = { type: 'technician', id: user_id, name };
  const { company_number } = customer.company;
  const [main, branch] = customer.sites;
  const now = plus(app.clock.now(), { days: -40 });
  return contextOf({ app, actor: undefined, author, now }).transaction(async (ctx) => {
    const days = (n: number) => dayOf(plus(ctx.now, { days: n }));
    const serial = (prefix: string, n: number) => `${prefix}${net}${String(n).padStart(4, '0')}`;
    const mac = (n: number) =>
      `00:1A:2B:${net.toString(16).padStart(2, '0').toUpperCase()}:00:${n.toString(16).padStart(2, '0').toUpperCase()}`;
    const at = (n: number) => ({ ip_address: `10.${net}.0.${n}`, mac_address: mac(n) });
    const added: Asset[] = [];
    const add = async (given: Omit<Parameters<typeof createAsset>[1], 'company_number'>) => {
      const asset = await createAsset(ctx, { ...given, company_number });
      added.push(asset);
      return asset;
    };
    const bought = { purchase_date: days(-820), warranty_expires: days(275) };
    const people = [customer.it_admin, customer.manager, customer.employee, customer.colleague];
    for (const [i, { employee_number, first_name, site_number }] of people.entries())
      await add({
        machine_name: `LT-${first_name.toUpperCase()}`,
        asset_type: 'Laptop',
        serial_number: serial('5CG', i + 1),
        site_number,
        ...at(100 + i),
        manufacturer: 'HP',
        model: 'EliteBook 840 G10',
        operating_system: 'Windows 11 Pro',
        assigned_employee: employee_number,
        ...bought,
        software: [
          { name: 'Microsoft 365 Apps', version: '2409', publisher: 'Microsoft' },
          { name: 'Firefox', version: '132.0', publisher: 'Mozilla' },
        ],
      });
    const server = await add({
      machine_name: 'SERVER1',
      asset_type: 'Server',
      serial_number: serial('SV', 1),
      site_number: main,
      ...at(10),
      manufacturer: 'Dell',
      model: 'PowerEdge T360',
      operating_system: 'Windows Server 2022',
      location: 'Server room',
      purchase_date: days(-1080),
      warranty_expires: days(20),
    });
    const firewall = await add({
      machine_name: 'FIREWALL1',
      asset_type: 'Firewall',
      serial_number: serial('FG', 1),
      site_number: main,
      ...at(1),
      manufacturer: 'Fortinet',
      model: 'FortiGate 60F',
      location: 'Server room',
      ...bought,
    });
    const core = await add({
      machine_name: 'SWITCH1',
      asset_type: 'Switch',
      serial_number: serial('SW', 1),
      site_number: main,
      ...at(2),
      manufacturer: 'Aruba',
      model: '6100 24G',
      location: 'Server room',
      ...bought,
    });
    await add({
      machine_name: 'PRN-RECEPTION',
      asset_type: 'Printer',
      serial_number: serial('PR', 1),
      site_number: main,
      ...at(30),
      manufacturer: 'Brother',
      model: 'HL-L6400DW',
      location: 'Reception',
      purchase_date: days(-2000),
    });
    await add({
      machine_name: 'AP-BRANCH',
      asset_type: 'Access Point',
      serial_number: serial('AP', 1),
      site_number: branch,
      ...at(40),
      manufacturer: 'Ubiquiti',
      model: 'U6 Pro',
      ...bought,
    });
    await add({
      machine_name: 'LT-SPARE',
      asset_type: 'Laptop',
      serial_number: serial('5CG', 99),
      site_number: main,
      manufacturer: 'HP',
      model: 'EliteBook 840 G8',
      status: 'in_stock',
      location: 'Cupboard',
      purchase_date: days(-1500),
    });
    const ports = (n: number) =>
      Array.from({ length: n }, (_, i) => ({
        port_number: i + 1,
        port_name: `1/1/${i + 1}`,
        port_type: 'RJ45',
        speed_mbps: 1000,
        status: i < n / 3 ? ('up' as const) : ('down' as const),
      }));
    await mergeFoundPorts(ctx, [
      { asset: core, found: ports(24) },
      { asset: firewall, found: ports(5) },
      { asset: server, found: ports(2) },
    ]);
    const password = 'correct-horse-battery';
    await addCredential(ctx, server, { label: 'Local administrator', username: 'administrator', password });
    await addCredential(ctx, firewall, { label: 'Web console', username: 'admin', password, url: 'https://10.20.0.1' });
    await addCredential(ctx, core, { label: 'SSH', username: 'netadmin', password, provider_only: true });
    return added;
  });
}
