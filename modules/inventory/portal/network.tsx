import { Bones, Card, columnsOf, Fact, Facts, Failed, RecordPage, SimpleTable, useItem, t } from '@keelson/web';

const back = { to: '/services', title: t('Back to services') };

export default function NetworkPage({ params }: { params: { id: string } }) {
  const { data, error, refetch } = useItem('GET /networks/{id}', { id: Number(params.id) });
  if (!data)
    return (
      <RecordPage title={t('Network')} back={back}>
        {error ? <Failed error={error} retry={() => void refetch()} /> : <Bones rows={6} />}
      </RecordPage>
    );
  return (
    <RecordPage title={data.network_address} back={back}>
      <div className="network">
        <Card>
          <Facts>
            <Fact name={t('Purpose')}>{data.description}</Fact>
            <Fact name={t('Mask')}>{data.subnet_mask}</Fact>
            <Fact name={t('Gateway')}>{data.gateway}</Fact>
            <Fact name={t('Site')}>{data.site_name}</Fact>
            <Fact name={t('DHCP')}>{data.dhcp_enabled ? t('Yes') : t('No')}</Fact>
            <Fact name={t('Name servers')}>{data.dns_servers.join(', ')}</Fact>
          </Facts>
        </Card>
        <Card title={t('VLANs')} flush>
          <SimpleTable
            label={t('VLANs')}
            rows={data.vlans as readonly Readonly<Record<string, unknown>>[]}
            columns={columnsOf(['vlan_number', 'name', 'description'], {})}
            empty={t('This network has no VLANs.')}
          />
        </Card>
      </div>
    </RecordPage>
  );
}
