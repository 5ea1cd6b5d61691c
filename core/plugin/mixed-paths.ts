import type { Plugin } from './plugin.ts';

/** Reports paths shared by programs and other callers: the path alone decides how a caller is identified. */
export function mixedPaths(plugins: readonly Plugin[]): { plugin: string; message: string }[] {
  const programs = new Map<string, string | undefined>();
  return plugins.flatMap(({ id, routes = [] }) =>
    routes.flatMap(({ surface, template, access, method }) => {
      const path = `${surface.id} /${template.segments.map((each) => each ?? '{}').join('/')}`;
      if (!programs.has(path)) programs.set(path, access?.program);
      if (programs.get(path) === access?.program) return [];
      return [{ plugin: id, message: `route ${method} ${path} shares its path with routes for other callers` }];
    }),
  );
}
