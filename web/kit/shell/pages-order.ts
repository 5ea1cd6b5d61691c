// Order of pages in navigation, and lookup of the open page.
import type { PageEntry } from './session.tsx';

export const byOrder = (a: PageEntry, b: PageEntry): number => (a.nav?.order ?? 0) - (b.nav?.order ?? 0);

/** Returns the page with the longest path that prefixes this URL: `/people/groups` rather than `/people`. */
export function openPage(pages: readonly PageEntry[], address: string): PageEntry | undefined {
  return pages
    .filter(({ path }) => path === address || (path !== '/' && address.startsWith(`${path}/`)))
    .toSorted((a, b) => b.path.length - a.path.length)[0];
}
