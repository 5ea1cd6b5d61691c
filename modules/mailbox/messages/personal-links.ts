// Our own links with a token, which replies may quote: they let everyone who reads them act as the recipient.

const REMOVED = '[personal link removed]';

/** Matches such links, also within the addresses that mail filters make of links. */
function linksTo(baseUrl: string): RegExp {
  const ours = [baseUrl, encodeURIComponent(baseUrl)].map((each) => each.replaceAll(/[^\w%]/g, String.raw`\$&`));
  const path = String.raw`(?:(?:/|%2F)[a-z-]{1,40}){1,4}`;
  return new RegExp(
    String.raw`[^\s<>"()[\]]{0,200}(?:${ours.join('|')})${path}(?:\?|%3F)token(?:=|%3D)[^\s<>"()[\]]+`,
    'gi',
  );
}

/** Returns a text without personal links. */
export const withoutLinks = (text: string, baseUrl: string): string => text.replaceAll(linksTo(baseUrl), REMOVED);

/** Returns sanitised HTML without personal links, and without links to them. */
export function htmlWithoutLinks(html: string, baseUrl: string): string {
  const links = linksTo(baseUrl);
  const linked = html.replaceAll(/ href="([^"]*)"/g, (all, url: string) => (url.search(links) < 0 ? all : ''));
  return linked.replaceAll(links, REMOVED);
}
