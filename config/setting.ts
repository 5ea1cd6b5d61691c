// How a setting is declared: its variable, what holds without it, its type, and what it means.
import { z } from 'zod';

export interface Setting {
  /** The environment variable. */
  readonly name: string;
  /** What holds when it is not set; null when nothing does. One that depends on others is said with their names. */
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

/** What was declared of a setting. */
export function aboutOf(type: z.ZodType): Setting | undefined {
  return about.get(type);
}
