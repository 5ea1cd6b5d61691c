// Names operations for generated clients: `listTickets`, `createTicketComment`, `approveMilestone`.
import { pathForm } from '../../plugin/route/path-template.ts';
import type { Route } from '../../plugin/route/route.ts';

/** Returns an operation's id: a verb, and the nouns of its path. The same for a route in every release (N-36). */
export function operationId(route: Route): string {
  if (route.operationId !== undefined) return route.operationId;
  const segments = pathForm(route.template, route.path).slice(1).split('/');
  const isParameter = (at: number) => segments[at]?.startsWith('{') ?? false;
  const nouns = segments.flatMap((segment, at) => {
    if (isParameter(at)) return [];
    const noun = segment.replace(/\.(?:php|css)$/, '');
    return [isParameter(at + 1) ? singular(noun) : noun];
  });
  const last = nouns.at(-1) ?? '';
  // "Approve a milestone" with the path `/milestones/{id}/approve`: the path has the verb.
  const [verb = ''] = last.split('-');
  if (route.title.toLowerCase().startsWith(`${verb} `)) {
    return camel([verb, ...nouns.slice(0, -1), ...last.split('-').slice(1)]);
  }
  if (last.endsWith('-preview')) return camel(['preview', ...nouns.slice(0, -1), last.slice(0, -8)]);
  const named = (first: string) => camel([first, ...nouns]);
  switch (route.method) {
    case 'get':
      return named(['list', 'all'].includes(route.returns.kind) ? 'list' : 'get');
    case 'put':
      return named('update');
    case 'delete':
      return named('delete');
    case 'post':
      return route.returns.status === 201
        ? camel(['create', ...nouns.slice(0, -1), singular(last)])
        : camel([last, ...nouns.slice(0, -1)]);
  }
}

function camel(parts: readonly string[]): string {
  const words = parts.flatMap((part) => part.split(/[^A-Za-z0-9]+/)).filter((word) => word !== '');
  return words.map((word, at) => (at === 0 ? word : word.slice(0, 1).toUpperCase() + word.slice(1))).join('');
}

/** Returns the singular of a noun. */
export function singular(word: string): string {
  if (word === 'people') return 'person';
  if (word.endsWith('ies')) return `${word.slice(0, -3)}y`;
  if (/(?:x|ch|sh|ss)es$/.test(word)) return word.slice(0, -2);
  return /[^s]s$/.test(word) ? word.slice(0, -1) : word;
}
