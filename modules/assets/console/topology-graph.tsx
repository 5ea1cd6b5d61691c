import { addressWith, Link, type Data, t } from '@keelson/web';

type Topology = Data<'GET /assets.php?action=topology&id={id}'>;
type Node = Topology['nodes'][number];

const WIDTH = 168;
const HEIGHT = 44;
const BESIDE = 72;
const BELOW = 16;
const EDGE = 8;

interface Place extends Node {
  readonly x: number;
  readonly y: number;
}

/** Draws assets in columns by distance. Each is a link; Tab follows the order of the columns. */
export function TopologyGraph({ asset_id, nodes, links }: Pick<Topology, 'asset_id' | 'nodes' | 'links'>) {
  const { places, width, height } = placed(nodes);
  return (
    <div className="topology" tabIndex={0} role="region" aria-label={t('Cabling diagram')}>
      <svg width={width} height={height} viewBox={`0 0 ${width} ${height}`} role="group" aria-label={t('Cables')}>
        {links.map((each) => {
          const [from, to] = [places.get(each.from_asset_id), places.get(each.to_asset_id)];
          return from && to && <path key={`${each.from_port_id} ${each.to_asset_id}`} d={curve(from, to)} />;
        })}
        {[...places.values()].map((each) => (
          <Box key={each.asset_id} node={each} own={each.asset_id === asset_id} />
        ))}
      </svg>
    </div>
  );
}

function Box({ node, own }: { node: Place; own: boolean }) {
  const { asset_id, machine_name, asset_type, x, y } = node;
  return (
    <Link href={addressWith('/assets/:quoted', asset_id)} aria-current={own ? 'page' : undefined}>
      <title>{machine_name}</title>
      <rect x={x} y={y} width={WIDTH} height={HEIGHT} rx="7" />
      <text x={x + 12} y={y + 18}>
        {cut(machine_name)}
      </text>
      <text x={x + 12} y={y + 34} className="type">
        {cut(asset_type)}
      </text>
    </Link>
  );
}

const cut = (text: string): string => (text.length > 20 ? `${text.slice(0, 19)}…` : text);

function placed(nodes: readonly Node[]) {
  const columns = Map.groupBy(nodes, (each) => each.depth);
  const tallest = Math.max(...[...columns.values()].map(({ length }) => length));
  const height = tallest * (HEIGHT + BELOW) - BELOW + 2 * EDGE;
  const places = new Map<number, Place>();
  for (const [depth, column] of columns) {
    const top = (height - column.length * (HEIGHT + BELOW) + BELOW) / 2;
    for (const [index, each] of column.entries())
      places.set(each.asset_id, { ...each, x: EDGE + depth * (WIDTH + BESIDE), y: top + index * (HEIGHT + BELOW) });
  }
  return { places, height, width: columns.size * (WIDTH + BESIDE) - BESIDE + 2 * EDGE };
}

/** Returns a curve from side to side between columns, or a bow within one column. */
function curve(one: Place, other: Place): string {
  const [left, right] = one.x <= other.x ? [one, other] : [other, one];
  const [y1, y2] = [left.y + HEIGHT / 2, right.y + HEIGHT / 2];
  const [x1, x2] = [left.x + WIDTH, left.x === right.x ? right.x + WIDTH : right.x];
  const bow = BESIDE / 2;
  return `M${x1} ${y1}C${x1 + bow} ${y1} ${left.x === right.x ? x2 + bow : x2 - bow} ${y2} ${x2} ${y2}`;
}
