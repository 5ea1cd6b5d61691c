// The buildings of sites, with floors, rooms and zones: read for many sites at once, and written as a whole (F-21,
// F-22).
import { In, invalid, type Context, type Row } from '@keelson/core';
import type { New } from '@keelson/core/database';
import { placeKinds, SitePlace } from '../entities/site.ts';
import type { Building, BuildingInput, FloorInput, RoomInput, ZoneInput } from './building-shapes.ts';

type Place = Row<typeof SitePlace>;

/** Reads the buildings of these sites in one statement. */
export async function readBuildings(ctx: Context, sites: readonly number[]): Promise<(site: number) => Building[]> {
  const within = byParent(sites.length === 0 ? [] : await readPlaces(ctx, sites));
  const inside = (of: string | number) => within.get(of) ?? [];
  const zones = (of: Place) => inside(of.place_id).map(({ place_id, name }) => ({ zone_id: place_id, name }));
  const rooms = (of: Place) =>
    inside(of.place_id).map((room) => ({ room_id: room.place_id, name: room.name, zones: zones(room) }));
  const floors = (of: Place) =>
    inside(of.place_id).map((floor) => {
      const { place_id, name, level } = floor;
      return { floor_id: place_id, name, level, rooms: rooms(floor) };
    });
  return (site) =>
    inside(rootOf(site)).map((each) => ({ building_id: each.place_id, name: each.name, floors: floors(each) }));
}

/**
 * Replaces the site's places. Returns true if anything changed. The site must be locked.
 * @throws invalid() when an id is not a place of that kind at the site
 */
export async function writeBuildings(ctx: Context, site: number, wanted: readonly BuildingInput[]): Promise<boolean> {
  const known = await readPlaces(ctx, [site]);
  const places = { within: byParent(known), byId: new Map(known.map((each) => [each.place_id, each])) };
  const nodes = wanted.map((each) => building(each, places));
  checkIds(flat(nodes), places);
  if (isSame(nodes, known, site)) return false;
  if (known.length > 0) await ctx.db.delete(SitePlace, { site_number: site });
  for (const kind of placeKinds) await storeKind(ctx, site, kind, nodes);
  return true;
}

/** A requested place. A new one gets its id when its level is stored, before the places inside it. */
interface Node {
  readonly kind: Place['kind'];
  id: number | undefined;
  readonly name: string;
  readonly level: number;
  readonly inside: readonly Node[];
}
type Within = ReadonlyMap<string | number, readonly Place[]>;
interface Known {
  readonly within: Within;
  readonly byId: ReadonlyMap<number, Place>;
}

const MOST_PLACES = 2000;

/** Without `floors`, an existing building keeps those it has; likewise for lower levels. */
function building({ building_id, name, floors }: BuildingInput, known: Known): Node {
  const inside = floors?.map((each) => floor(each, known)) ?? kept(building_id, known);
  return { kind: 'building', id: building_id, name, level: 0, inside };
}

function floor({ floor_id, name, level, rooms }: FloorInput, known: Known): Node {
  const inside = rooms?.map((each) => room(each, known)) ?? kept(floor_id, known);
  const before = floor_id === undefined ? undefined : known.byId.get(floor_id);
  return { kind: 'floor', id: floor_id, name, level: level ?? before?.level ?? 0, inside };
}

function room({ room_id, name, zones }: RoomInput, known: Known): Node {
  return { kind: 'room', id: room_id, name, level: 0, inside: zones?.map(zone) ?? kept(room_id, known) };
}

function zone({ zone_id, name }: ZoneInput): Node {
  return { kind: 'zone', id: zone_id, name, level: 0, inside: [] };
}

function kept(id: number | undefined, known: Known): Node[] {
  const places = id === undefined ? [] : (known.within.get(id) ?? []);
  return places.map(({ kind, place_id, name, level }) => ({
    kind,
    id: place_id,
    name,
    level,
    inside: kept(place_id, known),
  }));
}

function flat(nodes: readonly Node[]): Node[] {
  return nodes.flatMap((each) => [each, ...flat(each.inside)]);
}

function checkIds(nodes: readonly Node[], { byId }: Known): void {
  if (nodes.length > MOST_PLACES) throw invalid(`buildings must contain at most ${MOST_PLACES} places`);
  const seen = new Set<number>();
  for (const { kind, id } of nodes) {
    if (id === undefined) continue;
    if (byId.get(id)?.kind !== kind) throw invalid(`${kind}_id must be a ${kind} of the site`);
    if (seen.has(id)) throw invalid(`${kind}_id must be unique within the site`);
    seen.add(id);
  }
}

/** Stores all places of a kind, and sets the ids of new ones. */
async function storeKind(ctx: Context, site: number, kind: Place['kind'], nodes: readonly Node[]): Promise<void> {
  const placed = placedIn(nodes, site).filter(({ node }) => node.kind === kind);
  await ctx.db.insert(
    SitePlace,
    placed.map(({ row }) => row),
  );
  if (placed.every(({ node }) => node.id !== undefined)) return;
  const stored = await ctx.db.findBy(SitePlace, { site_number: site, kind });
  const ids = new Map(stored.map((each) => [`${each.parent_id} ${each.position}`, each.place_id]));
  for (const { node, row } of placed) node.id = ids.get(`${row.parent_id} ${row.position}`);
}

function placedIn(nodes: readonly Node[], site: number, parent: number | null = null): Placed[] {
  return nodes.flatMap((node, position) => {
    const { id, kind, name, level } = node;
    const row = { place_id: id, site_number: site, kind, parent_id: parent, name, level, position };
    return [{ node, row }, ...placedIn(node.inside, site, id ?? null)];
  });
}

interface Placed {
  readonly node: Node;
  readonly row: Omit<New<typeof SitePlace>, 'parent_id'> & { readonly parent_id: number | null };
}

function isSame(nodes: readonly Node[], known: readonly Place[], site: number): boolean {
  const rows = placedIn(nodes, site).map(({ row }) => row);
  const key = (row: New<typeof SitePlace>) =>
    JSON.stringify([row.place_id, row.parent_id, row.name, row.level, row.position]);
  const before = new Set(known.map(key));
  return rows.length === before.size && rows.every((each) => before.has(key(each)));
}

async function readPlaces(ctx: Context, sites: readonly number[]): Promise<Place[]> {
  const places = await ctx.db.findBy(SitePlace, { site_number: In(sites) });
  return places.toSorted((a, b) => a.position - b.position || a.place_id - b.place_id);
}

function byParent(places: readonly Place[]): Within {
  return Map.groupBy(places, (each) => each.parent_id ?? rootOf(each.site_number));
}

const rootOf = (site: number): string => `site ${site}`;
