import { Bones, Card, columnsOf, Fact, Facts, Failed, RecordPage, SimpleTable, useItem } from '@keelson/web';

const back = { to: '/services', title: 'Back to services' };

export default function NetworkPage({ params }: { params: { id: string } }) {
  const { data, error, refetch } = useItem('GET /networks/{id}', { id: Number(params.id) });
  if (!data)
    return (
      <RecordPage title="Network" back={back}>
        {error ? <Failed error={error} retry={() => void refetch()} /> : <Bones rows={6} />}
      </RecordPage>
    );
  return (
    <RecordPage title={data.network_address} back={back}>
      <div className="network">
        <Card>
          <Facts>
            <Fact name="Purpose">{data.description}</Fact>
            <Fact name="Mask">{data.subnet_mask}</Fact>
            <Fact name="Gateway">{data.gateway}</Fact>
            <Fact name="Site">{data.site_name}</Fact>
            <Fact name="DHCP">{data.dhcp_enabled ? 'Yes' : 'No'}</Fact>
            <Fact name="Name servers">{data.dns_servers.join(', ')}</Fact>
          </Facts>
        </Card>
        <Card title="VLANs" flush>
          <SimpleTable
            label="VLANs"
            rows={data.vlans as readonly Readonly<Record<string, unknown>>[]}
            columns={columnsOf(['vlan_number', 'name', 'description'], {})}
            empty="This network has no VLANs."
          />
        </Card>
      </div>
    </RecordPage>
  );
}
