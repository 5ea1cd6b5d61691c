import { Fact, Facts, Link, Section, Slot, Time, useRecordLink, words, type Data, t } from '@keelson/web';

type Asset = Data<'GET /assets.php?id={id}'>;

/** Sidebar with the asset's facts, its owner, and related records of other modules. */
export function AssetSide({ asset }: { asset: Asset }) {
  return (
    <>
      <Section title={t('Asset')}>
        <Facts>
          <Fact name={t('Company')}>
            <To type="company" id={asset.company_number} name={asset.company_name} />
          </Fact>
          <Fact name={t('Site')}>
            {asset.site_name && <To type="site" id={asset.site_number} name={asset.site_name} />}
          </Fact>
          <Fact name={t('User')}>
            {asset.assigned_employee_name && (
              <To type="contact" id={asset.assigned_employee} name={asset.assigned_employee_name} />
            )}
          </Fact>
          <Fact name={t('Location')}>{asset.location}</Fact>
          <Fact name={t('Type')}>{asset.asset_type}</Fact>
          <Fact name={t('Manufacturer')}>{asset.manufacturer}</Fact>
          <Fact name={t('Model')}>{asset.model}</Fact>
          <Fact name={t('Serial number')}>{asset.serial_number}</Fact>
          <Fact name={t('System')}>{asset.operating_system}</Fact>
          <Fact name={t('IP address')}>{asset.ip_address}</Fact>
          <Fact name={t('MAC address')}>{asset.mac_address}</Fact>
          <Fact name={t('Bought')}>{asset.purchase_date && <Time at={asset.purchase_date} />}</Fact>
          <Fact name={t('Warranty')}>{asset.warranty_expires && <Time at={asset.warranty_expires} />}</Fact>
          <Fact name={t('Last seen')}>{asset.last_seen_at && <Time at={asset.last_seen_at} />}</Fact>
          <Fact name={t('Source')}>{words(asset.source)}</Fact>
        </Facts>
      </Section>
      <Slot name="asset.side" record={asset} />
    </>
  );
}

function To({ type, id, name }: { type: string; id: number | null; name: string }) {
  const to = useRecordLink()(type, id ?? 0);
  return to && id ? <Link href={to}>{name}</Link> : name;
}
