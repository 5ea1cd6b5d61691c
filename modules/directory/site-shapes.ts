import { input, z } from '@keelson/core';

export const siteStatuses = ['active', 'inactive'] as const;
const moment = z.iso.datetime();

const Zone = z.object({ zone_id: z.int(), name: z.string() });
const Room = z.object({ room_id: z.int(), name: z.string(), zones: z.array(Zone) });
const Floor = z.object({ floor_id: z.int(), name: z.string(), level: z.int(), rooms: z.array(Room) });
const Building = z.object({ building_id: z.int(), name: z.string(), floors: z.array(Floor) });
export type Building = z.infer<typeof Building>;

export const SiteItem = z.object({
  site_number: z.int(),
  site_name: z.string(),
  company_number: z.int(),
  company_name: z.string(),
  address: z.string(),
  city: z.string(),
  state: z.string(),
  zip: z.string(),
  country: z.string(),
  phone: z.string(),
  status: z.enum(siteStatuses),
  is_primary: z.boolean(),
  employee_count: z.int(),
  asset_count: z.int(),
  created_at: moment,
  updated_at: moment,
});
export type SiteItem = z.infer<typeof SiteItem>;

export const SiteDetail = SiteItem.extend({ buildings: z.array(Building) });
export type SiteDetail = z.infer<typeof SiteDetail>;

export const SiteHierarchy = SiteDetail.pick({ site_number: true, site_name: true, buildings: true });

// What a caller sends: with an id a place is changed, without one it is made, and those that are missing go (F-22).
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
