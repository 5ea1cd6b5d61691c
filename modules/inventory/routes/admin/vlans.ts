import { admin, input, nounRoutes } from '@keelson/core';
import { ReadNetworks, WriteNetworks } from '../../permissions.ts';
import { readVlan, VlanDetail } from '../../vlans/vlan-detail.ts';
import { VlanItem, Vlans } from '../../vlans/vlans.ts';

export default nounRoutes(admin, '/vlans.php?id={id}', Vlans, {
  titles: {
    list: 'List VLANs',
    create: 'Create a VLAN',
    read: 'Read a VLAN with its ports',
    update: 'Update a VLAN',
    delete: 'Delete a VLAN',
  },
  read: ReadNetworks,
  write: WriteNetworks,
  view: VlanItem,
  detail: { shape: VlanDetail, show: readVlan },
  fields: {
    company_number: input.id(),
    vlan_number: input.int(1, 4094),
    name: input.text(255),
    description: input.optionalLongText(),
    network_id: input.clearable(input.id()),
    site_number: input.clearable(input.id()),
  },
});
