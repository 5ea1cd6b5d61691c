// Ticket attachments as technicians and integrations use them.
import { createHash } from 'node:crypto';
import { Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { commentOnTicket, deleteTicket, lockTicket } from '@keelson/modules/tickets';
import { startApp } from '@keelson/testing';
import test from 'ava';
import { ActivityLine } from '../../packages/log/activity.ts';
import {
  attachmentEvents,
  limitUploads,
  portalCaller,
  staffCaller,
  storedAttachments,
  storedUse,
} from '../attachments-seed.ts';
import { forgetEvents, seedEmployee, seedTicket, staff, storedTicket } from '../tickets-seed.ts';

const at = '2026-03-02T09:00:00Z';

async function seed(t: Parameters<typeof startApp>[0]) {
  const app = await startApp(t);
  const employee = await seedEmployee(app);
  const { ticket_id } = await seedTicket(app, employee);
  const key = await staffCaller(app);
  return { app, employee, ticket_id, key, all: `/tickets.php?action=attachments&id=${ticket_id}` };
}

test('Attach files to any ticket', async (t) => {
  const { app, employee, ticket_id, key, all } = await seed(t);
  await forgetEvents(app);
  app.clock.set('2026-03-02T10:00:00.000Z');
  const png = Buffer.from('89504e470d0a1a0a0000000d49484452000000010000000108060000001f15c489', 'hex');
  const answer = await key.upload(all, [{ name: 'screen.png', bytes: png, type: 'text/html' }, { name: 'a.txt' }]);
  t.is(answer.status, 201);
  const rows = await storedAttachments(app);
  t.deepEqual(answer.body, {
    success: true,
    data: {
      attachments: [
        {
          attachment_id: 1,
          filename: 'screen.png',
          content_type: 'image/png',
          size: png.length,
          author_name: rows[0]?.author_name,
          created_at: '2026-03-02T10:00:00Z',
          comment_id: null,
        },
        {
          attachment_id: 2,
          filename: 'a.txt',
          content_type: 'text/plain',
          size: 5,
          author_name: rows[0]?.author_name,
          created_at: '2026-03-02T10:00:00Z',
          comment_id: null,
        },
      ],
    },
  });
  t.is(rows[0]?.sha256, createHash('sha256').update(png).digest('hex'));
  t.is(rows[0]?.company_number, employee.company_number);
  t.like(await storedUse(app, employee.company_number), { files: 2, bytes: png.length + 5 });
  t.is((await storedTicket(app, ticket_id)).updated_at, '2026-03-02T10:00:00.000Z');
  const lines = await app.app.database.findBy(ActivityLine, { entity_type: 'attachment' });
  t.deepEqual(
    lines.map(({ action, entity_id, description }) => [action, entity_id, description]),
    [
      ['create', '1', 'Attachment of ticket 1001 added'],
      ['create', '2', 'Attachment of ticket 1001 added'],
    ],
  );
  t.deepEqual(
    await attachmentEvents(app),
    [1, 2].map((attachment_id) => [
      'attachment.added',
      { attachment_id, record_type: 'ticket', record_id: ticket_id, part_id: null },
    ]),
  );

  const comment = await app.run(async (ctx) =>
    commentOnTicket(ctx, await lockTicket(ctx, ticket_id), { comment: 'See file', is_internal: true }),
  );
  const named = await key.upload(all, [{}], { comment_id: String(comment.comment_id) });
  t.is(named.body.data.attachments[0].comment_id, comment.comment_id);
  // The JSON form, for callers that cannot send multipart.
  const json = await app.request('POST', `${staff}${all}`, {
    token: key.token,
    body: { filename: 'b.txt', content_base64: Buffer.from('x').toString('base64'), comment_id: comment.comment_id },
  });
  t.is(json.status, 201);
  t.is(json.body.data.attachments[0].size, 1);

  const other = await seedTicket(app, await seedEmployee(app));
  const foreign = await app.run(async (ctx) =>
    commentOnTicket(ctx, await lockTicket(ctx, other.ticket_id), { comment: 'Elsewhere', is_internal: false }),
  );
  const refused = await key.upload(all, [{}], { comment_id: String(foreign.comment_id) });
  t.is(refused.status, 400);
  t.is(refused.body.error, 'comment_id must be a comment of the ticket');
  t.is((await key.upload(all, [{}], { comment_id: 'x' })).status, 400);
  t.is((await key.upload(all, [])).body.error, 'file is required');
  t.is((await key.upload('/tickets.php?action=attachments&id=99')).body.error, 'Ticket not found');
  t.is((await (await staffCaller(app, ['tickets:read'])).upload(all)).status, 403);
  t.is((await app.request('POST', `${staff}${all}`)).status, 401);
  t.is((await storedAttachments(app)).length, 4, 'what was refused left nothing');

  // Repeating the request returns the first response and stores nothing; another file with that key is rejected.
  const once = { 'Idempotency-Key': 'upload-1' };
  const first = await key.upload(all, [{ name: 'once.txt' }], {}, once);
  t.deepEqual((await key.upload(all, [{ name: 'once.txt' }], {}, once)).body, first.body);
  t.is((await key.upload(all, [{ name: 'once.txt', bytes: 'other' }], {}, once)).status, 400);
  t.is((await storedAttachments(app)).length, 5);
});

test('List all attachments of any ticket', async (t) => {
  const { app, ticket_id, key, all } = await seed(t);
  for (const name of ['a.txt', 'b.txt', 'c.txt']) await key.upload(all, [{ name }]);
  const answer = await key.send('GET', `${all}&page=2&per_page=1`);
  t.is(answer.status, 200);
  const [, row] = await storedAttachments(app);
  t.deepEqual(answer.body, {
    success: true,
    data: [
      {
        attachment_id: 2,
        filename: 'b.txt',
        content_type: 'text/plain',
        size: 5,
        author_name: row?.author_name,
        created_at: at,
        comment_id: null,
      },
    ],
    pagination: { page: 2, per_page: 1, total: 3, total_pages: 3 },
  });
  t.is((await key.send('GET', all)).body.data.length, 3);
  t.true((await app.fewestStatements(() => key.send('GET', all))) <= 6);
  t.is((await key.send('GET', '/tickets.php?action=attachments&id=99')).status, 404);
  t.is((await (await staffCaller(app, ['tickets:write'])).send('GET', all)).status, 403);
  t.is((await app.request('GET', `${staff}${all}`)).status, 401);
  await app.run(async (ctx) => deleteTicket(ctx, await lockTicket(ctx, ticket_id)));
  t.is((await key.send('GET', all)).status, 404, 'a deleted ticket shows none');
});

test('Download an attachment of any ticket', async (t) => {
  const { app, ticket_id, key, all } = await seed(t);
  await key.upload(all, [{ name: 'Übersicht (1).html', bytes: '<script>alert(1)</script>' }]);
  const one = `/tickets.php?action=attachment&id=${ticket_id}&attachment_id=1`;
  const whole = await key.send('GET', one);
  t.is(whole.status, 200);
  t.is(whole.text, '<script>alert(1)</script>');
  const headers = Object.fromEntries(whole.headers);
  t.like(headers, {
    'content-type': 'text/plain; charset=utf-8',
    'content-length': '25',
    'content-disposition': `attachment; filename="_bersicht__1_.html"; filename*=UTF-8''%C3%9Cbersicht%20%281%29.html`,
    'x-content-type-options': 'nosniff',
    'content-security-policy': "default-src 'none'; sandbox",
    'cache-control': 'private, no-cache',
    'accept-ranges': 'bytes',
  });
  const etag = headers['etag'] ?? '';
  t.is(etag, `"${createHash('sha256').update(whole.text).digest('hex')}"`);

  const unchanged = await key.send('GET', one, { 'If-None-Match': etag });
  t.deepEqual([unchanged.status, unchanged.text], [304, '']);
  const head = await key.send('HEAD', one);
  t.deepEqual([head.status, head.headers.get('content-length'), head.text], [200, '25', '']);
  const ranges: [string, number, string, string | null][] = [
    ['bytes=0-7', 206, '<script>', 'bytes 0-7/25'],
    ['bytes=16-', 206, '</script>', 'bytes 16-24/25'],
    ['bytes=-9', 206, '</script>', 'bytes 16-24/25'],
    ['bytes=20-999', 206, 'ript>', 'bytes 20-24/25'],
    ['bytes=0-1,3-4', 200, whole.text, null],
    ['bytes=9-3', 200, whole.text, null],
    ['lines=1-2', 200, whole.text, null],
  ];
  for (const [range, status, body, said] of ranges) {
    const part = await key.send('GET', one, { Range: range });
    t.deepEqual([part.status, part.text, part.headers.get('content-range')], [status, body, said], range);
  }
  for (const range of ['bytes=25-', 'bytes=-0', 'bytes=99-100']) {
    const none = await key.send('GET', one, { Range: range });
    t.deepEqual(
      [none.status, none.headers.get('content-range'), none.body],
      [416, 'bytes */25', { success: false, error: 'The range is outside the file' }],
    );
  }
  t.is((await key.send('GET', one, { Range: 'bytes=0-1', 'If-Range': '"older"' })).status, 200);
  t.is((await key.send('GET', one, { Range: 'bytes=0-1', 'If-Range': etag })).status, 206);

  // A file damaged on disk is never delivered as complete.
  const [row] = await storedAttachments(app);
  const { storage } = app.app;
  const good = storage.open;
  t.is(await text(await good(row?.stored_as ?? '')), whole.text);
  Object.assign(storage, { open: async () => Readable.from(['<script>alert(2)</script>']) });
  await t.throwsAsync(key.send('GET', one));
  Object.assign(storage, { open: good });

  t.is((await key.send('GET', `/tickets.php?action=attachment&id=${ticket_id}&attachment_id=9`)).status, 404);
  const other = await seedTicket(app, await seedEmployee(app));
  const elsewhere = await key.send('GET', `/tickets.php?action=attachment&id=${other.ticket_id}&attachment_id=1`);
  t.deepEqual(elsewhere.body, { success: false, error: 'Attachment not found' });
  t.is((await (await staffCaller(app, ['tickets:write'])).send('GET', one)).status, 403);
  t.is((await app.request('GET', `${staff}${one}`)).status, 401);
});

test('Delete an attachment of any ticket', async (t) => {
  const { app, employee, ticket_id, key, all } = await seed(t);
  await key.upload(all, [{ name: 'a.txt' }, { name: 'b.txt' }]);
  const [row] = await storedAttachments(app);
  await forgetEvents(app);
  const one = `/tickets.php?action=attachment&id=${ticket_id}&attachment_id=1`;
  t.is((await (await staffCaller(app, ['tickets:read'])).send('DELETE', one)).status, 403);
  t.is((await app.request('DELETE', `${staff}${one}`)).status, 401);
  const answer = await key.send('DELETE', one);
  t.deepEqual([answer.status, answer.text], [204, '']);
  t.deepEqual(
    (await storedAttachments(app)).map(({ filename }) => filename),
    ['b.txt'],
  );
  t.like(await storedUse(app, employee.company_number), { files: 1, bytes: 5 });
  t.false(await app.app.storage.exists(row?.stored_as ?? ''), 'its file goes with it');
  t.deepEqual(
    (await attachmentEvents(app)).map(([name]) => name),
    ['attachment.removed'],
  );
  t.is((await key.send('DELETE', one)).body.error, 'Attachment not found');
  t.is(
    (await key.send('DELETE', '/tickets.php?action=attachment&id=99&attachment_id=2')).body.error,
    'Attachment not found',
  );
});

test('errors name the limit, and rejected files leave nothing behind', async (t) => {
  const { app, employee, key, all } = await seed(t);
  const files = async () => (await storedAttachments(app)).length;
  await limitUploads(app, { file_bytes: 1000 });
  const large = await key.upload(all, [{ bytes: Buffer.alloc(1001) }]);
  t.deepEqual([large.status, large.body.error], [413, 'The file must be at most 1000 bytes']);
  const many = await key.upload(
    all,
    Array.from({ length: 11 }, () => ({})),
  );
  t.deepEqual([many.status, many.body.error], [413, 'At most 10 files can be uploaded at once']);
  t.is(await files(), 0);
  await limitUploads(app, { record_files: 2 });
  t.is((await key.upload(all, [{}, {}, {}])).body.error, 'A ticket can have at most 2 attachments');
  await limitUploads(app, { record_files: 100, record_bytes: 12 });
  // Two concurrent uploads compete for the last slot: one gets it.
  const both = await Promise.all([key.upload(all, [{}, {}]), key.upload(all, [{}, {}])]);
  t.deepEqual(
    both.map(({ status }) => status).toSorted((a, b) => a - b),
    [201, 413],
  );
  t.is(both.find(({ status }) => status === 413)?.body.error, 'The attachments of a ticket can total at most 12 bytes');
  await limitUploads(app, { record_bytes: 1000, company_bytes: 14 });
  const other = await seedTicket(app, employee);
  const full = await key.upload(`/tickets.php?action=attachments&id=${other.ticket_id}`);
  t.deepEqual([full.status, full.body.error], [413, 'The attachments of a company can total at most 14 bytes']);
  t.is(await files(), 2);
});

test('one person cannot use up the company’s storage', async (t) => {
  const { app, employee } = await seed(t);
  const [mine, theirs] = [employee, await seedEmployee(app, { company_number: employee.company_number })];
  await limitUploads(app, { person_bytes: 6 });
  const upload = async (who: { email: string; employee_number: number }) => {
    const { ticket_id } = await seedTicket(app, {
      company_number: employee.company_number,
      employee_number: who.employee_number,
    });
    const caller = await portalCaller(app, who);
    const { status, body } = await caller.upload(`/tickets/${ticket_id}/attachments`, [{ bytes: 'four' }]);
    return [status, body.error];
  };
  t.is((await upload(mine))[0], 201);
  t.deepEqual(await upload(mine), [413, 'The attachments of one person can total at most 6 bytes']);
  t.is((await upload(theirs))[0], 201);
});
