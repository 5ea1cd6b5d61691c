// The pages surface: server-rendered pages outside the three APIs, such as the technicians' sign-in.
import { html } from '@keelson/kit/html.ts';
import type { Problem } from '@keelson/kit/problem.ts';
import { surfaceApi } from '../plugin/route/route.ts';
import { type Answer, type Surface, usualStatuses } from '../plugin/route/surface.ts';
import type { Technician } from './admin.ts';

/** The surface of pages. Its actors are technicians; visitors have none. */
export const pagesSurface: Surface<Technician> = Object.freeze<Surface<Technician>>({
  id: 'pages',
  prefix: '',
  pageSize: { names: ['per_page'], default: 25, max: 100 },
  challenge: {},
  security: {},
  holds: () => false,
  company: () => undefined,
  author: (actor: Technician) => ({ type: 'technician', id: actor.user_id, name: actor.name }) as const,
  charges: (actor: Technician) => [{ bucket: `a:session:${actor.session_id}`, perMinute: 300 }],
  principal: (actor: Technician) => `technician:${actor.user_id}`,
  item: (_method: string, value: unknown) => value,
  list: (key: string, rows: readonly unknown[]) => ({ [key]: rows }),
  all: (key: string, rows: readonly unknown[]) => ({ [key]: rows }),
  removed: (): Answer => ({ status: 204, body: undefined }),
  problem: (problem: Problem): Answer => ({
    status: usualStatuses[problem.kind],
    body: html`<!doctype html><meta charset="utf-8" /><title>Keelson</title>
      <h1>${problem.message}</h1>`.text,
  }),
});

/** Declares server-rendered pages outside the three APIs. */
export const pages = surfaceApi(pagesSurface);
