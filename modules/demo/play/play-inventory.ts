// Inventory of the demo's first customer; two items expire soon.
import { dayOf, plus, type App } from '@keelson/core';
import type { Author } from '@keelson/core/log';
import { contextOf } from '@keelson/core/system';
import {
  createContract,
  createDomain,
  createLicense,
  createNetwork,
  createVendor,
  createVlan,
} from '@keelson/modules/inventory';
import type { Customer, Staff } from '../people.ts';

/** Adds vendors, contracts, licences, networks with their VLANs, and domains. */
export async function playInventory(
  app: App,
  { staff, customer }: { staff: Staff; customer: Customer },
): Promise<void> {
  const { user_id, name } = staff.administrator;
  const author: Author = { type: 'technician', id: user_id, name };
  await contextOf({ app, actor: undefined, author }).transaction(async (ctx) => {
    const { company_number } = customer.company;
    const [main, branch] = customer.sites;
    const inDays = (days: number) => dayOf(plus(ctx.now, { days }));
    const dell = await createVendor(ctx, {
      name: 'Dell',
      contact_name: 'Priya Raman',
      email: 'priya.raman@dell.example',
      phone: '+1 512 555 0100',
      account_number: '88 412 077',
    });
    await createVendor(ctx, { name: 'Cascade Fiber', contact_name: 'Network desk', phone: '+1 503 555 0190' });
    await createContract(ctx, {
      company_number,
      name: 'Managed workplaces',
      contract_number: 'MSA 2025/014',
      contract_type: 'managed_services',
      start_date: inDays(-300),
      end_date: inDays(65),
      auto_renew: true,
      notice_days: 60,
      included_minutes: 600,
      value: 184_000,
    });
    await createContract(ctx, {
      company_number,
      vendor_id: dell.vendor_id,
      name: 'ProSupport for the practice server',
      contract_type: 'warranty',
      start_date: inDays(-1080),
      end_date: inDays(15),
      value: 89_900,
      billing_cycle: 'annual',
    });
    await createLicense(ctx, {
      company_number,
      name: 'Microsoft 365 Business Premium',
      vendor: 'Microsoft',
      license_type: 'subscription',
      seats: 25,
      expires_at: inDays(120),
      cost: 55_000,
    });
    await createLicense(ctx, {
      company_number,
      name: 'X-ray viewer',
      vendor: 'DentaView',
      product_key: 'DVX4-77QK-PL02-9F3C',
      license_type: 'per device',
      seats: 6,
      purchase_date: inDays(-700),
      expires_at: inDays(28),
    });
    const lan = await createNetwork(ctx, {
      company_number,
      site_number: main,
      description: 'Practice LAN',
      network_address: '10.20.0.0/22',
      gateway: '10.20.0.1',
      dhcp_enabled: true,
      dns_servers: ['10.20.0.10'],
    });
    await createNetwork(ctx, {
      company_number,
      site_number: branch,
      description: 'Branch, IPv6',
      network_address: '2001:db8:20::/64',
      gateway: '2001:db8:20::1',
    });
    for (const [vlan_number, vlan] of [
      [10, 'Reception'],
      [20, 'Treatment'],
      [90, 'Guests'],
    ] as const)
      await createVlan(ctx, {
        company_number,
        site_number: main,
        vlan_number,
        name: vlan,
        network_id: vlan_number === 90 ? null : lan.network_id,
      });
    await createDomain(ctx, {
      company_number,
      domain_name: 'northwind-dental.example',
      registrar: 'Gandi',
      registered_at: inDays(-2100),
      expires_at: inDays(12),
      name_servers: ['ns1.cascade.example', 'ns2.cascade.example'],
    });
  });
}
