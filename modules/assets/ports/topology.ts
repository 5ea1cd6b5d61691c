// The graph of assets reachable over cables between ports (F-75). Cables may form cycles.
import { In, IsNull, sql, z, type Context } from '@keelson/core';
import { Asset } from '../entities/asset.ts';

const MOST_LINKS = 10_000;
/** The maximum distance from the asset, in steps. */
export const MOST_DEPTH = 64;

const Node = z.object({
  asset_id: z.int(),
  machine_name: z.string(),
  asset_type: z.string(),
  status: z.string(),
  depth: z.int().describe('Hops from the asset'),
});
const Link = z.object({
  from_asset_id: z.int(),
  from_port_id: z.int(),
  to_asset_id: z.int(),
  to_port_id: z.int().nullable(),
  vlan_id: z.int().nullable(),
});

export const Topology = z.object({
  asset_id: z.int(),
  nodes: z.array(Node),
  links: z.array(Link),
  truncated: z.boolean().describe('True if the result was cut off at 10,000 links or at the requested depth'),
});
type Link = z.output<typeof Link>;

/** Returns the asset and all assets reachable in at most `depth` steps, nearest first. */
export async function readTopology(
  ctx: Context,
  { asset_id }: Asset,
  depth: number,
): Promise<z.input<typeof Topology>> {
  const found = await readLinks(ctx, asset_id);
  const links = found.slice(0, MOST_LINKS);
  const depthOf = depths(asset_id, links);
  const near = (id: number) => (depthOf.get(id) ?? Infinity) <= depth;
  const shown = links.filter(({ from_asset_id, to_asset_id }) => near(from_asset_id) && near(to_asset_id));
  const ids = [...depthOf.keys()].filter(near);
  const assets = new Map(
    (await ctx.db.findBy(Asset, { asset_id: In(ids), deleted_at: IsNull() })).map((each) => [each.asset_id, each]),
  );
  const nodes = ids.flatMap((id) => {
    const known = assets.get(id);
    return known ? [{ ...known, depth: depthOf.get(id) ?? 0 }] : [];
  });
  return { asset_id, nodes, links: shown, truncated: found.length > MOST_LINKS || ids.length < depthOf.size };
}

/**
 * Reads the cables of everything reachable. The database walks them, visiting each asset once. Where both ports are
 * known, the cable is stored at both ends; it yields one link, from the lower port.
 */
async function readLinks({ db }: Context, asset_id: number): Promise<Link[]> {
  // SQLite runs in this process, so stop at the limit. MariaDB does not support the clause here.
  const enough = db.dialect === 'sqlite' ? sql`LIMIT ${MOST_LINKS}` : sql``;
  const rows = await db.query<Link>(sql`WITH RECURSIVE reached (asset_id) AS (
      SELECT ${asset_id} + 0
      UNION
      SELECT asset_port.connected_asset_id FROM reached JOIN asset_port ON asset_port.asset_id = reached.asset_id
        WHERE asset_port.connected_asset_id IS NOT NULL
      UNION
      SELECT asset_port.asset_id FROM reached JOIN asset_port ON asset_port.connected_asset_id = reached.asset_id
      ${enough}
    )
    SELECT asset_port.asset_id AS from_asset_id, asset_port.port_id AS from_port_id,
      asset_port.connected_asset_id AS to_asset_id, asset_port.connected_port_id AS to_port_id, asset_port.vlan_id
    FROM reached JOIN asset_port ON asset_port.asset_id = reached.asset_id
    WHERE asset_port.connected_asset_id IS NOT NULL
      AND (asset_port.connected_port_id IS NULL OR asset_port.port_id < asset_port.connected_port_id)
    ORDER BY asset_port.port_id LIMIT ${MOST_LINKS + 1}`);
  return rows.map((row) => ({ ...row }));
}

/** Returns the distance of each asset in steps, nearest first. */
function depths(from: number, links: readonly Link[]): Map<number, number> {
  const neighbours = new Map<number, number[]>();
  const add = (one: number, other: number) => void (neighbours.get(one)?.push(other) ?? neighbours.set(one, [other]));
  for (const { from_asset_id, to_asset_id } of links) {
    add(from_asset_id, to_asset_id);
    add(to_asset_id, from_asset_id);
  }
  const depthOf = new Map([[from, 0]]);
  // A Map iterates in insertion order, including entries added during iteration.
  for (const [id, depth] of depthOf)
    for (const next of neighbours.get(id) ?? []) if (!depthOf.has(next)) depthOf.set(next, depth + 1);
  return depthOf;
}
