// Shapes of the buildings of a site with their floors, rooms and zones: in responses (F-21) and in requests.
import { input, z } from '@keelson/core';

const Zone = z.object({ zone_id: z.int(), name: z.string() });
const Room = z.object({ room_id: z.int(), name: z.string(), zones: z.array(Zone) });
const Floor = z.object({ floor_id: z.int(), name: z.string(), level: z.int(), rooms: z.array(Room) });
export const Building = z.object({ building_id: z.int(), name: z.string(), floors: z.array(Floor) });
export type Building = z.infer<typeof Building>;

// A place with an id is changed, one without is created, and missing ones are removed (F-22).
const place = { name: input.text(255) };
const many = <S extends z.ZodType>(shape: S) => z.array(shape).max(500).optional();
const ZoneInput = z.object({ zone_id: input.optional(input.id()), ...place });
const RoomInput = z.object({ room_id: input.optional(input.id()), ...place, zones: many(ZoneInput) });
const FloorInput = z.object({
  floor_id: input.optional(input.id()),
  ...place,
  level: input.optional(input.int(-100, 1000)),
  rooms: many(RoomInput),
});
export const BuildingInput = z.object({ building_id: input.optional(input.id()), ...place, floors: many(FloorInput) });
export type ZoneInput = z.output<typeof ZoneInput>;
export type RoomInput = z.output<typeof RoomInput>;
export type FloorInput = z.output<typeof FloorInput>;
export type BuildingInput = z.output<typeof BuildingInput>;
