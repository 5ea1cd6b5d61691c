import { anyone, input, page, pages, param, Problem, z, type Context, type EmployeeActor } from '@keelson/core';
import { contextAs, providerName, wordingFor, type PageHttp } from '@keelson/modules/accounts';
import { scores, type Score } from '../entities.ts';
import { readToken, type Closing } from '../link.ts';
import { deadRatingPage, ratingPage, reopenedPage } from '../rating-page.ts';
import { rateTicket, readRated, reopenTicket, type Rated } from '../ratings.ts';

const tokenField = input.secret(200);
const commentField = input.optionalText(4000);

export default [
  pages.get('/rate', {
    title: 'Show the page for rating a closed ticket',
    access: anyone,
    query: z.object({ token: param.text(200), score: param.choice(scores) }),
    returns: page(),
    handle: (ctx, { query: { token = '', score }, http }) =>
      byLink(ctx, { token, score, http }, async (person, closing) =>
        score !== undefined && isClick(http) ? rateTicket(person, closing, { score }) : readRated(person, closing),
      ),
  }),
  pages.post('/rate', {
    title: 'Rate a closed ticket',
    access: anyone,
    slow: true,
    body: z.object({ token: tokenField, score: input.choice(scores), comment: commentField }),
    returns: page(),
    handle: (ctx, { body: { token, score, comment }, http }) =>
      byLink(ctx, { token, score, http }, (person, closing) => rateTicket(person, closing, { score, comment })),
  }),
  pages.post('/rate/reopen', {
    title: 'Reopen a closed ticket with the link from its mail',
    access: anyone,
    slow: true,
    body: z.object({ token: tokenField, comment: commentField }),
    returns: page(),
    handle: (ctx, { body: { token, comment = '' }, http }) =>
      byLink(ctx, { token, http }, (person, closing) => reopenTicket(person, closing, comment)),
  }),
];

/** Mail servers' link scanners follow every link, so only a person's click counts as a rating. */
const isClick = (http: { header(name: string): string | undefined }): boolean =>
  http.header('sec-fetch-user') === '?1' && http.header('sec-fetch-dest') === 'document';

type Work = (person: Context<EmployeeActor>, closing: Closing) => Promise<Rated>;

interface Followed {
  readonly token: string;
  readonly score?: Score | undefined;
  readonly http: PageHttp;
}

async function byLink(ctx: Context, { token, score, http }: Followed, work: Work) {
  const tenant = await providerName(ctx);
  const closing = readToken(ctx.app, token);
  const person = closing && (await contextAs(ctx.app, { type: 'employee', id: closing.employee_number }));
  const wording = await wordingFor(ctx, http, closing && { employee_number: closing.employee_number });
  const dead = { status: 404, html: deadRatingPage(wording, tenant) };
  if (!closing || !person) return dead;
  const run = (what: Work) => person.transaction((inside) => what(inside, closing));
  try {
    const rated = await run(work);
    return {
      html: rated.reopened
        ? reopenedPage(wording, tenant, rated.ticket)
        : ratingPage({ wording, tenant, token, rated, score }),
    };
  } catch (error) {
    if (!(error instanceof Problem)) throw error;
    if (error.kind === 'not-found') return dead;
    const rated = await run(readRated);
    return {
      status: 409,
      html: ratingPage({ wording, tenant, token, rated, score, error: wording.find(error.message) }),
    };
  }
}
