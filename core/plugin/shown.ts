// What a route may declare that it answers: a zod shape, or a view.
import type { z } from 'zod';

declare const shown: unique symbol;
/** A row that has been through a view: nothing else may be answered where a route declares one. */
export type Shown<Out> = Out & { readonly [shown]: true };

/** A view (record/view.ts), as far as routes know it. */
export interface AnswerView {
  readonly shape: z.ZodObject;
  readonly answer: unknown;
}

/** A zod shape, or a view: what has been through that is not copied again. */
export type Answered = z.ZodType | AnswerView;
/** What `handle` answers for it. */
export type AnswerOf<S extends Answered> = S extends z.ZodType
  ? z.input<S>
  : S extends AnswerView
    ? Shown<z.output<S['shape']>>
    : never;
