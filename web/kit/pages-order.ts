// Pages in navigations: their order, and which of them is open.
import type { PageEntry } from './session.tsx';

export const byOrder = (a: PageEntry, b: PageEntry): number => (a.nav?.order ?? 0) - (b.nav?.order ?? 0);

/** The page with the longest address that this one begins with: `/people/groups` rather than `/people`. */
export function openPage(pages: readonly PageEntry[], address: string): PageEntry | undefined {
  return pages
    .filter(({ path }) => path === address || (path !== '/' && address.startsWith(`${path}/`)))
    .toSorted((a, b) => b.path.length - a.path.length)[0];
}
