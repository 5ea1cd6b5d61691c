// The two ways to declare a route's response: a zod shape or a view.
import type { z } from 'zod';

declare const shown: unique symbol;
/** A row copied by a view. A route that declares a view can return nothing else. */
export type Shown<Out> = Out & { readonly [shown]: true };

/** The part of a view (record/view.ts) that routes need. */
export interface AnswerView {
  readonly of?: { readonly table: { readonly name: string } };
  readonly shape: z.ZodObject;
  readonly answer: unknown;
}

/** A zod shape, or a view whose rows are not serialised again. */
export type Answered = z.ZodType | AnswerView;
/** The type `handle` returns for it. */
export type AnswerOf<S extends Answered> = S extends z.ZodType
  ? z.input<S>
  : S extends AnswerView
    ? Shown<z.output<S['shape']>>
    : never;
