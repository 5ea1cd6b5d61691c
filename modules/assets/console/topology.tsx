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
} from '@keelson/web';
import { useState } from 'react';
import { TopologyGraph } from './topology-graph.tsx';

const READ = 'GET /assets.php?action=topology&id={id}';
type Cable = Data<typeof READ>['links'][number];

/** Maximum assets drawn; the table lists all. */
const MOST_DRAWN = 120;
const depths = { '1': 'One step away', '2': 'Two steps away', '4': 'Four steps away', '64': 'Everything' };

export function Topology({ asset_id }: { asset_id: number }) {
  const [depth, setDepth] = useState('2');
  const { data, error, refetch } = useItem(READ, { id: asset_id, depth: Number(depth) });
  return (
    <Card
      title="Topology"
      act={
        <Filter
          label="How far"
          any="Two steps away"
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
    { key: 'from', title: 'From', width: '', look: 'strong', cell: (each) => names.get(each.from_asset_id) },
    { key: 'to', title: 'To', width: '', cell: (each) => names.get(each.to_asset_id) },
    { key: 'known', title: 'Far port', width: '', cell: (each) => (each.to_port_id === null ? 'Not known' : 'Known') },
  ];
  if (links.length === 0)
    return <p className="tone-muted">No cable leads away from it. Its ports say what is connected.</p>;
  const drawn = nodes.slice(0, MOST_DRAWN);
  return (
    <>
      <TopologyGraph asset_id={asset_id} nodes={drawn} links={links} />
      {drawn.length < nodes.length && (
        <Note>
          The nearest {MOST_DRAWN} are drawn, {nodes.length} are connected.
        </Note>
      )}
      {truncated && <Note>There is more than is shown.</Note>}
      <details className="cables">
        <summary>As a table</summary>
        <SimpleTable
          label="Cables"
          rows={links}
          columns={columns}
          to={({ from_asset_id }) => addressWith('/assets/:quoted', from_asset_id)}
        />
      </details>
    </>
  );
}
