// Topology of an asset's cables: a drawing by distance, with the same data in a table.
import {
  addressWith,
  Bones,
  Card,
  Failed,
  Filter,
  Note,
  SimpleTable,
  useItem,
  type Column,
  type Data,
  t,
} from '@keelson/web';
import { useState } from 'react';
import { TopologyGraph } from './topology-graph.tsx';

const READ = 'GET /assets.php?action=topology&id={id}';
type Cable = Data<typeof READ>['links'][number];

/** Maximum assets drawn; the table lists all. */
const MOST_DRAWN = 120;
const hops = (count: number) => t('{count, plural, one {# hop} other {# hops}}', { count });
const depths = { '1': hops(1), '2': hops(2), '4': hops(4), '64': t('Everything') };

export function Topology({ asset_id }: { asset_id: number }) {
  const [depth, setDepth] = useState('2');
  const { data, error, refetch } = useItem(READ, { id: asset_id, depth: Number(depth) });
  return (
    <Card
      title={t('Topology')}
      act={
        <Filter
          label={t('Depth')}
          any={t('{count, plural, one {# hop} other {# hops}}', { count: 2 })}
          value={depth}
          choices={depths}
          onChoose={(chosen) => setDepth(chosen || '2')}
        />
      }
    >
      {error ? <Failed error={error} retry={() => void refetch()} /> : data ? <Shown of={data} /> : <Bones />}
    </Card>
  );
}

function Shown({ of: { asset_id, nodes, links, truncated } }: { of: Data<typeof READ> }) {
  const names = new Map(nodes.map((each) => [each.asset_id, each.machine_name]));
  const columns: readonly Column<Cable>[] = [
    { key: 'from', title: t('From'), width: '', look: 'strong', cell: (each) => names.get(each.from_asset_id) },
    { key: 'to', title: t('To'), width: '', cell: (each) => names.get(each.to_asset_id) },
    {
      key: 'known',
      title: t('Remote port'),
      width: '',
      cell: (each) => (each.to_port_id === null ? t('Unknown') : t('Known')),
    },
  ];
  if (links.length === 0)
    return <p className="tone-muted">{t('No connections yet. Set them on the ports of this asset.')}</p>;
  const drawn = nodes.slice(0, MOST_DRAWN);
  return (
    <>
      <TopologyGraph asset_id={asset_id} nodes={drawn} links={links} />
      {drawn.length < nodes.length && (
        <Note>
          {t('Showing the nearest {shown} of {count} connected assets.', { shown: MOST_DRAWN, count: nodes.length })}
        </Note>
      )}
      {truncated && <Note>{t('Some connections are not shown.')}</Note>}
      <details className="cables">
        <summary>{t('View as table')}</summary>
        <SimpleTable
          label={t('Cables')}
          rows={links}
          columns={columns}
          to={({ from_asset_id }) => addressWith('/assets/:quoted', from_asset_id)}
        />
      </details>
    </>
  );
}
