// Address map of a network: the state of each address, and the lowest free ones.
import { addressWith, Button, Card, copy, Link, number, useItem, type Data, t } from '@keelson/web';
import { useState } from 'react';
import { blockOf, type AddressState, type MappedAddress } from './address-map.ts';

type Network = Data<'GET /networks.php?id={id}'>;

const names: Readonly<Record<AddressState, string>> = {
  asset: t('Assigned'),
  unknown: t('Responds, not assigned'),
  gateway: t('Gateway'),
  reserved: t('Not usable'),
  free: t('Free'),
};
const ROW = 8;
const SHOWN_FREE = 5;

export default function NetworkAddresses({ record }: { record: Network }) {
  const [index, setIndex] = useState(0);
  const block = blockOf(record, index);
  return (
    <Card title={t('Address map')}>
      <FreeAddresses network={record} />
      {block && (
        <>
          <table className="address-map">
            <caption className="hidden">{t('Address map')}</caption>
            <tbody>
              {rowsOf(block.addresses).map((row) => (
                <tr key={row[0]?.address}>
                  {row.map((each) => (
                    <Cell key={each.address} of={each} />
                  ))}
                </tr>
              ))}
            </tbody>
          </table>
          {block.blocks > 1 && (
            <p className="address-blocks">
              <Button icon="chevron-left" disabled={index === 0} onClick={() => setIndex(index - 1)}>
                {t('Previous')}
              </Button>
              <span>{block.addresses[0]?.address}</span>
              <Button icon="chevron-right" disabled={index >= block.blocks - 1} onClick={() => setIndex(index + 1)}>
                {t('Next')}
              </Button>
            </p>
          )}
          <ul className="address-legend">
            {(['asset', 'unknown', 'gateway', 'free'] as const).map((state) => (
              <li key={state}>
                <i data-state={state} /> {names[state]}
              </li>
            ))}
          </ul>
        </>
      )}
    </Card>
  );
}

function Cell({ of: { address, state, assignment } }: { of: MappedAddress }) {
  const name = assignment?.machine_name ?? names[state];
  const shown = (
    <>
      <span aria-hidden="true">{address.split('.')[3]}</span>
      <span className="hidden">{`${address}, ${name}`}</span>
    </>
  );
  return (
    <td data-state={state} title={`${address}, ${name}`}>
      {assignment?.asset_id ? <Link href={addressWith('/assets/:quoted', assignment.asset_id)}>{shown}</Link> : shown}
    </td>
  );
}

function FreeAddresses({ network }: { network: Network }) {
  const { data } = useItem('GET /networks.php?action=free-addresses&id={id}', {
    id: network.network_id,
    limit: SHOWN_FREE,
  });
  if (!data) return null;
  const { used, free, addresses } = data;
  return (
    <>
      <p className="tone-muted">
        {t('{used} used', { used: number(used) })}
        {free !== null && t(', {free} free', { free: number(free) })}
      </p>
      <ul className="free-addresses">
        {addresses.map((each) => (
          <li key={each}>
            <code>{each}</code>
            <Button icon="copy" onClick={() => copy(each)}>
              {t('Copy')}
              <span className="hidden"> {each}</span>
            </Button>
          </li>
        ))}
      </ul>
    </>
  );
}

function rowsOf(addresses: readonly MappedAddress[]): MappedAddress[][] {
  const rows: MappedAddress[][] = [];
  for (let at = 0; at < addresses.length; at += ROW) rows.push(addresses.slice(at, at + ROW));
  return rows;
}
