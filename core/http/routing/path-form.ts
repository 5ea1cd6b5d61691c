// The path form of `.php` addresses: `/tickets.php/7/comments` is `/tickets.php?action=comments&id=7`. OpenAPI
// cannot describe addresses that differ in their query only, so clients made from the documents use this form.
import { memoize } from '@keelson/kit/memoize.ts';
import type { Next } from 'koa';
import type { Plugin } from '../../plugin/plugin.ts';
import { pathSteps, type Step } from '../../plugin/route/path-template.ts';
import type { Koa } from '../request-state.ts';
import { decodes } from './request-params.ts';

/** What can follow each `.php` file; literal steps first, so that they take precedence. */
const formsOf = memoize((plugins: readonly Plugin[]): ReadonlyMap<string, readonly (readonly Step[])[]> => {
  const routes = plugins.flatMap((plugin) => plugin.routes ?? []);
  const byFile = Map.groupBy(routes, ({ surface, template }) => `${surface.prefix}/${template.segments.join('/')}`);
  const orderOf = (steps: readonly Step[]) => steps.map(({ value }) => (value === undefined ? 1 : 0)).join('');
  const sorted = [...byFile].map(([file, together]) => {
    const forms = together.map(({ template }) => pathSteps(template)).filter((steps) => steps.length > 0);
    return [file, forms.toSorted((a, b) => (orderOf(a) < orderOf(b) ? -1 : 1))] as const;
  });
  return new Map(sorted);
});

/** Rewrites the path form to the query form, which all later steps use. */
export function pathForm(plugins: readonly Plugin[]) {
  return (http: Koa, next: Next): Promise<void> => {
    const end = http.path.indexOf('.php/') + 4;
    if (end === 3) return next();
    const file = http.path.slice(0, end);
    const given = http.path
      .slice(end + 1)
      .replace(/\/$/, '')
      .split('/');
    const fits = ({ value }: Step, at: number) => (value === undefined ? given[at] !== '' : value === given[at]);
    const steps = formsOf(plugins)
      .get(file)
      ?.find((each) => each.length === given.length && each.every(fits));
    if (!steps || !decodes(http.path)) return next();
    // The last value of a name counts.
    const query = new URLSearchParams(http.querystring);
    for (const [at, { key }] of steps.entries()) query.append(key, decodeURIComponent(given[at] ?? ''));
    http.path = file;
    http.querystring = query.toString();
    return next();
  };
}
