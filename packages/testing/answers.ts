// Checks every response in tests against its declared shape: no missing and no extra members.
import { z } from 'zod';
import { choose } from '../../core/http/routing/php-actions.ts';
import { compileRoutes } from '../../core/http/routing/routes.ts';
import type { App } from '../../core/plugin/app.ts';
import { answerShape, problemShape } from '../../core/plugin/route/answer-shape.ts';
import type { Route } from '../../core/plugin/route/route.ts';
import { Problem, problemKinds } from '../kit/problem.ts';

export interface Answered {
  readonly method: string;
  /** Path and query, without the host. */
  readonly path: string;
  readonly status: number;
  /** The media type. Empty without a body. */
  readonly type: string;
  readonly body: unknown;
}

/** Creates a check that throws, naming route and member, when a response does not match its route's declaration. */
export function answerJudge(app: App): (answered: Answered) => void {
  const shapes = new Map<Route, z.ZodType | undefined>();
  const shapeOf = (route: Route): z.ZodType | undefined => {
    if (shapes.has(route)) return shapes.get(route);
    const declared = answerShape(route);
    const shape = declared && strict(declared);
    shapes.set(route, shape);
    return shape;
  };
  return (answered) => {
    if (answered.method === 'HEAD') return;
    const { face, route } = routeOf(app, answered);
    if (face.surface.id === 'pages') return;
    // 416 is the only download status that is not a kind of problem.
    const refusedRange = answered.status === 416 && route?.returns.kind === 'stored';
    if (answered.status >= 400)
      return judgeProblem(face.surface, route, refusedRange ? { ...answered, status: 400 } : answered);
    if (route && answered.status !== 304) judgeSuccess(route, shapeOf(route), answered);
  };
}

function judgeSuccess(route: Route, shape: z.ZodType | undefined, { status, type, body }: Answered): void {
  const { returns, surface } = route;
  const usual = returns.kind === 'nothing' ? surface.removed({}, undefined).status : returns.status;
  const wrong = (what: string) => new Error(`${route.name} returned ${what}, which it does not declare`);
  const also = returns.kind === 'added' ? 200 : returns.kind === 'stored' ? 206 : usual;
  if (status !== usual && status !== also) throw wrong(`with status ${status}`);
  if (!shape && returns.types.length > 0 && !returns.types.some((each) => each === '*/*' || type.startsWith(each)))
    throw wrong(type);
  const result = (shape ?? z.unknown()).safeParse(body);
  if (!result.success) throw wrong(z.prettifyError(result.error));
}

function judgeProblem(surface: Route['surface'], route: Route | undefined, { status, body, path }: Answered): void {
  const known = problemKinds.some((kind) => surface.problem(new Problem(kind, 'x')).status === status);
  const extras = [{}, route?.signedOutExtra, route?.forbiddenExtra];
  const shapes = extras.map((extra) => strict(problemShape(surface, extra)));
  if (known && shapes.some((each) => each.safeParse(body).success)) return;
  throw new Error(
    `${path} returned ${status} ${JSON.stringify(body)}, which is not a problem of the surface ${surface.id}`,
  );
}

function routeOf(app: App, { method, path }: Answered) {
  const url = new URL(path, 'http://localhost');
  const interfaces = compileRoutes(app.plugins);
  const face = interfaces.of(url.pathname);
  const found = interfaces.find(url.pathname);
  if (!found) return { face, route: undefined };
  // As the pipeline parses it: the last duplicate wins, and an empty value counts as absent.
  const query = new Map([...url.searchParams].filter(([name]) => url.searchParams.getAll(name).at(-1) !== ''));
  try {
    return { face, route: choose(found, method === 'HEAD' ? 'get' : method.toLowerCase(), query) };
  } catch (error) {
    if (error instanceof Problem) return { face, route: undefined };
    throw error;
  }
}

/** Returns the schema with strict objects. Supports the kinds of schema that serialise.ts does. */
function strict(schema: z.core.$ZodType): z.ZodType {
  if (schema instanceof z.ZodObject) {
    const fields = Object.fromEntries(Object.entries(schema.shape).map(([name, each]) => [name, strict(each)]));
    const { catchall } = schema._zod.def;
    const named = !catchall || catchall instanceof z.ZodNever || catchall instanceof z.ZodUnknown;
    return named ? z.strictObject(fields) : z.object(fields).catchall(strict(catchall));
  }
  if (schema instanceof z.ZodArray) return z.array(strict(schema.element));
  if (schema instanceof z.ZodRecord) return z.record(z.string(), strict(schema.valueType));
  if (schema instanceof z.ZodOptional) return strict(schema.unwrap()).optional();
  if (schema instanceof z.ZodNullable) return strict(schema.unwrap()).nullable();
  if (schema instanceof z.ZodUnion) return z.union(schema.options.map((each) => strict(each)));
  if (schema instanceof z.ZodReadonly || schema instanceof z.ZodNonOptional || schema instanceof z.ZodDefault) {
    return strict(schema.unwrap());
  }
  if (schema instanceof z.ZodType) return schema;
  throw new Error('Responses must be described with zod, not zod/mini');
}
