// The places of a site as a uniform tree, and its conversion for the API.
import { t, type Args, type Data } from '@keelson/web';

type Buildings = Data<'GET /sites.php?id={id}'>['buildings'];
/** All places of a site as the API expects them: those with an id stay, the others are new. */
export type Wanted = NonNullable<Args<'PUT /sites.php?id={id}'>['body']['buildings']>;

const kinds = ['building', 'floor', 'room', 'zone'] as const;
export type Kind = (typeof kinds)[number];

export interface Place {
  readonly kind: Kind;
  /** Undefined for a new place. */
  readonly id: number | undefined;
  readonly name: string;
  /** For a floor; 0 is the ground floor. */
  readonly level: number;
  readonly places: readonly Place[];
}

/** Returns the kind of places inside this kind. */
export const inside = (kind: Kind): Kind | undefined => kinds[kinds.indexOf(kind) + 1];

export const placesOf = (buildings: Buildings): Place[] =>
  buildings.map(({ building_id: id, name, floors }) => ({
    ...{ kind: 'building', id, name, level: 0 },
    places: floors.map(({ floor_id, name: floor, level, rooms }) => ({
      ...{ kind: 'floor', id: floor_id, name: floor, level },
      places: rooms.map(({ room_id, name: room, zones }) => ({
        ...{ kind: 'room', id: room_id, name: room, level: 0 },
        places: zones.map(({ zone_id, name: zone }) => ({
          kind: 'zone',
          id: zone_id,
          name: zone,
          level: 0,
          places: [],
        })),
      })),
    })),
  }));

export const wantedOf = (places: readonly Place[]): Wanted =>
  places.map(({ id, name, places: floors }) => ({
    ...(id !== undefined && { building_id: id }),
    name,
    floors: floors.map(({ id: floor_id, name: floor, level, places: rooms }) => ({
      ...(floor_id !== undefined && { floor_id }),
      name: floor,
      level,
      rooms: rooms.map(({ id: room_id, name: room, places: zones }) => ({
        ...(room_id !== undefined && { room_id }),
        name: room,
        zones: zones.map(({ id: zone_id, name: zone }) => ({ ...(zone_id !== undefined && { zone_id }), name: zone })),
      })),
    })),
  }));

/** Returns the tree with one place changed, found by kind and id; undefined removes it. */
export const changed = (
  places: readonly Place[],
  one: Place,
  change: (place: Place) => Place | undefined,
): readonly Place[] =>
  places.flatMap((each) => {
    if (each.kind === one.kind && each.id === one.id) return change(each) ?? [];
    return { ...each, places: changed(each.places, one, change) };
  });

/** Returns the number of places inside: `3 floors`. */
export function counted({ kind, places: { length: count } }: Place): string {
  if (kind === 'building') return t('{count, plural, one {# floor} other {# floors}}', { count });
  if (kind === 'floor') return t('{count, plural, one {# room} other {# rooms}}', { count });
  return t('{count, plural, one {# zone} other {# zones}}', { count });
}
