// Columns and indexes of declared tables.
import type { z } from 'zod';

export type Dialect = 'sqlite' | 'mysql';

/** The column kinds; schema.ts maps them to each dialect's types. */
export type Kind = 'id' | 'int' | 'big' | 'varchar' | 'key' | 'text' | 'flag' | 'timestamp' | 'day' | 'json';

export interface Reference {
  readonly table: string;
  readonly column: string;
}

export interface ColumnOptions {
  readonly kind: Kind;
  readonly length?: number;
  readonly nullable?: boolean;
  readonly default?: unknown;
  readonly unique?: boolean;
  readonly primary?: boolean;
  /** Excluded from responses: hashes, secrets, search keys. */
  readonly hidden?: boolean;
  readonly references?: Reference;
}

/** A column: its stored type and the zod shape of its row values. */
export interface Column<Out, Has extends 'given' | 'filled' = 'given', Open extends boolean = true> {
  readonly options: ColumnOptions;
  readonly shape: z.ZodType<Out>;
  readonly has: Has;
  /** True if a view may expose it. */
  readonly open: Open;
  nullable(): Column<Out | null, 'filled', Open>;
  default(value: Out): Column<Out, 'filled', Open>;
  unique(): Column<Out, Has, Open>;
  primary(): Column<Out, Has, Open>;
  hidden(): Column<Out, Has, false>;
  /** Sets the label, for names that do not say enough: `Job title` for `title`. */
  titled(title: string): Column<Out, Has, Open>;
}

// `any` lets one record hold columns of every type; the row type is inferred from them.
export type Columns = Record<string, Column<any, any, any>>;

export interface Index {
  readonly columns: readonly string[];
  readonly unique: boolean;
}
