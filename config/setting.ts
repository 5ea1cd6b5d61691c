// Declares a setting: its variable, default, type and meaning.
import { z } from 'zod';

export interface Setting {
  /** The environment variable. */
  readonly name: string;
  /** The default, or null if there is none. A default derived from other settings is written with their names. */
  readonly default: string | null;
  readonly meaning: string;
}

const about = z.registry<Setting>();

export function setting<T>(name: string, fallback: string, type: z.ZodType<T, string>, meaning: string) {
  return z.prefault(type, fallback).register(about, { name, default: fallback, meaning });
}

export function optional<T>(name: string, fallback: string | null, type: z.ZodType<T, string>, meaning: string) {
  return z.optional(type).register(about, { name, default: fallback, meaning });
}

/** Returns the declaration of a setting. */
export function aboutOf(type: z.ZodType): Setting | undefined {
  return about.get(type);
}
