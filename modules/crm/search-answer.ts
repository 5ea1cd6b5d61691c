// GET /search: the best matches among leads, contacts, opportunities and prospects (C-26 to C-28).
import { invalid, type Context, type CrmCaller } from '@keelson/core';
import { findRecords } from '@keelson/core/search';
import { entityTypes, type EntityType } from './entity-types.ts';

export interface SearchAsked {
  readonly q: string;
  /** Comma-separated; plurals are accepted. */
  readonly types?: string | undefined;
  readonly limit: number;
}

/** Accepted aliases of each type. */
const known = Object.freeze({
  lead: ['leads'],
  contact: ['contacts'],
  opportunity: ['opportunities'],
  prospect: ['prospects'],
});

/** Returns the best matches and their total. @throws forbidden() when the key may read none of the types (Z-56) */
export async function searchCrm(ctx: Context<CrmCaller>, { q, types, limit }: SearchAsked) {
  if (Array.from(q).length < 2) throw invalid('q must be at least 2 characters');
  const found = await findRecords(ctx, { surface: 'crm', known, q, types, limit });
  const best = [...found.types.values()].flat().toSorted((a, b) => b.score - a.score || b.id - a.id);
  const results = best.slice(0, limit).map(({ type, id, title, subtitle, score }) => {
    const entity = typeOf(type);
    return { type: entity, id, title, subtitle, score, url: urlOf(ctx, entity, id) };
  });
  return {
    results,
    total: found.total,
    ...(found.capped && { total_capped: true as const }),
    ...(found.suggestions.length > 0 && { suggestions: [...found.suggestions] }),
  };
}

function typeOf(name: string): EntityType {
  const type = entityTypes.find((each) => each === name);
  if (!type) throw new Error(`${name} is not a CRM type`);
  return type;
}

function urlOf({ app }: Context, type: EntityType, id: number): string {
  const place = type === 'contact' ? 'people' : known[type][0];
  return `${app.config.baseUrl}/admin/crm/${place}/${id}`;
}
