// Ticket attachments as customers' employees see them.
import { commentOnTicket, lockTicket } from '@keelson/modules/tickets';
import { startApp } from '@keelson/testing';
import test from 'ava';
import { signIn } from '../accounts-seed.ts';
import { multipart, portalCaller, staffCaller, storedAttachments } from '../attachments-seed.ts';
import { portal, seedTeam, seedTicket } from '../tickets-seed.ts';

const at = '2026-03-02T09:00:00Z';

/** Creates a member's ticket with files from the member, a public comment and an internal note. */
async function seed(t: Parameters<typeof startApp>[0]) {
  const app = await startApp(t);
  const team = await seedTeam(app);
  const { ticket_id } = await seedTicket(app, team.member);
  const [shown, internal] = await app.run(async (ctx) => {
    const ticket = await lockTicket(ctx, ticket_id);
    return [
      await commentOnTicket(ctx, ticket, { comment: 'Look', is_internal: false }),
      await commentOnTicket(ctx, ticket, { comment: 'Hush', is_internal: true }),
    ];
  });
  const key = await staffCaller(app);
  const member = await portalCaller(app, team.member);
  const all = `/tickets/${ticket_id}/attachments`;
  const ofStaff = `/tickets.php?action=attachments&id=${ticket_id}`;
  await member.upload(all, [{ name: 'mine.txt' }]);
  await key.upload(ofStaff, [{ name: 'shown.txt' }], { comment_id: String(shown.comment_id) });
  await key.upload(ofStaff, [{ name: 'hush.txt' }], { comment_id: String(internal.comment_id) });
  return { app, team, ticket_id, shown, internal, key, member, all };
}

test('List attachments of a ticket: those of internal comments are neither listed nor counted', async (t) => {
  const { app, team, member, all, shown } = await seed(t);
  const rows = await storedAttachments(app);
  const answer = await member.send('GET', `${all}?page=1`);
  const item = (n: number, filename: string, comment_id: number | null) => ({
    attachment_id: n,
    filename,
    content_type: 'text/plain',
    size: 5,
    author_name: rows[n - 1]?.author_name,
    created_at: at,
    comment_id,
  });
  t.deepEqual(answer.body, {
    attachments: [item(1, 'mine.txt', null), item(2, 'shown.txt', shown.comment_id)],
    pagination: { page: 1, limit: 20, total: 2, total_pages: 1 },
  });
  for (const seer of [team.manager, team.itAdmin])
    t.is((await (await portalCaller(app, seer)).send('GET', all)).body.attachments.length, 2);
  const absent = await member.send('GET', '/tickets/99/attachments');
  for (const other of [team.colleague, team.stranger]) {
    const answered = await (await portalCaller(app, other)).send('GET', all);
    t.deepEqual([answered.status, answered.text], [404, absent.text]);
  }
  t.is((await app.request('GET', `${portal}${all}`)).status, 401);
});

test('Attach files to a ticket', async (t) => {
  const { app, team, member, all, internal, shown } = await seed(t);
  const answer = await member.upload(all, [{ name: 'more.txt' }], { comment_id: String(shown.comment_id) });
  t.is(answer.status, 201);
  t.deepEqual(answer.body, {
    success: true,
    attachments: [
      {
        attachment_id: 4,
        filename: 'more.txt',
        content_type: 'text/plain',
        size: 5,
        author_name: (await storedAttachments(app))[3]?.author_name,
        created_at: at,
        comment_id: shown.comment_id,
      },
    ],
  });
  const hidden = await member.upload(all, [{}], { comment_id: String(internal.comment_id) });
  const absent = await member.upload(all, [{}], { comment_id: '999' });
  t.deepEqual([hidden.status, hidden.text], [400, absent.text]);
  t.is((await (await portalCaller(app, team.stranger)).upload(all)).status, 404);
  t.is((await app.request('POST', `${portal}${all}`)).status, 401);
  t.is((await member.upload(all, [])).status, 400);

  // With a cookie, an upload must come from our own pages.
  const { cookie } = await signIn(app, team.member);
  const { body, headers } = multipart([{}]);
  const forged = { cookie, body, headers: { ...headers, 'Sec-Fetch-Site': 'cross-site' } };
  t.is((await app.request('POST', `${portal}${all}`, forged)).status, 403);
  const own = { cookie, body, headers: { ...headers, 'Sec-Fetch-Site': 'same-origin' } };
  t.is((await app.request('POST', `${portal}${all}`, own)).status, 201);
});

test('Download an attachment of a ticket: those of internal comments return 404', async (t) => {
  const { app, team, ticket_id, member, all } = await seed(t);
  const good = await member.send('GET', `${all}/2`);
  t.deepEqual([good.status, good.text], [200, 'hello']);
  t.is(good.headers.get('content-disposition'), `attachment; filename="shown.txt"; filename*=UTF-8''shown.txt`);
  const absent = await member.send('GET', `${all}/99`);
  t.deepEqual([absent.status, absent.body], [404, { error: 'Attachment not found' }]);
  const internal = await member.send('GET', `${all}/3`);
  t.deepEqual([internal.status, internal.text], [404, absent.text]);

  const stranger = await portalCaller(app, team.stranger);
  const { ticket_id: theirs } = await seedTicket(app, team.stranger);
  for (const path of [`${all}/1`, `${all}/99`]) {
    const answered = await stranger.send('GET', path);
    t.deepEqual([answered.status, answered.text], [404, absent.text], path);
  }
  const mixed = await stranger.send('GET', `/tickets/${theirs}/attachments/1`);
  t.deepEqual([mixed.status, mixed.text], [404, absent.text], 'another ticket’s id under one’s own ticket');
  t.is((await app.request('GET', `${portal}/tickets/${ticket_id}/attachments/1`)).status, 401);
});

test('Delete an attachment of a ticket', async (t) => {
  const { app, team, member, all } = await seed(t);
  t.is((await (await portalCaller(app, team.colleague)).send('DELETE', `${all}/1`)).status, 404);
  t.is((await app.request('DELETE', `${portal}${all}/1`)).status, 401);
  const absent = await member.send('DELETE', `${all}/99`);
  t.deepEqual([absent.status, absent.text], [404, (await member.send('DELETE', `${all}/3`)).text]);
  t.is((await member.send('DELETE', `${all}/1`)).status, 204);
  t.deepEqual(
    (await storedAttachments(app)).map(({ filename }) => filename),
    ['shown.txt', 'hush.txt'],
  );
});
