// FreeScout: every page is HTML from the server, with 50 conversations; it has no list of all open ones, so the list is
// the folder of the assigned ones.
import { join } from 'node:path';
import { formOf, found, openSession, pagesOf, signInEach } from './driver.ts';
import { startPhp } from './php-server.ts';
import { companyOf, EMAIL, PASSWORD, SUBJECT, TEXT, WORD, type Product, type Setting } from './product.ts';

const PORT = 3343;

/** Starts an installed FreeScout and signs a user in once per connection. */
export async function startFreescout({ folder, databasePort, connections }: Setting): Promise<Product> {
  const server = await startPhp({
    name: 'freescout',
    port: PORT,
    root: join(folder, 'freescout', 'public'),
    work: join(folder, 'work'),
    databasePort,
    nginx: 'location / { try_files $uri $uri/ /index.php?$query_string; }',
  });
  const token = (page: string) => found(page, /name="_token" value="([^"]+)"/);
  const sessions = await signInEach(connections, async () => {
    const session = openSession(PORT);
    const _token = token(await session.get('/login'));
    await session.post('/login', { _token, email: EMAIL, password: PASSWORD });
    const page = await session.get('/mailbox/1/new-ticket');
    return { cookie: session.cookie(), token: token(page) };
  });
  const page = pagesOf(sessions);
  return {
    name: 'FreeScout',
    port: PORT,
    operations: {
      list: page('/mailbox/1/3', '/conversation/'),
      deep: page('/mailbox/1/4?page=1000', '/conversation/'),
      search: page(`/search?q=${WORD}`, ` ${WORD}`),
      queue: page('/mailbox/1/3', '/conversation/'),
      home: page('/', '/mailbox/1'),
      create: formOf(
        sessions,
        {
          path: '/conversation/ajax',
          headers: { 'X-Requested-With': 'XMLHttpRequest' },
          contains: '"status":"success"',
        },
        (token, connection, n) => {
          const company = companyOf(connection, n);
          // A call by phone: an e-mail would be queued for sending.
          return {
            _token: token,
            action: 'send_reply',
            mailbox_id: '1',
            is_create: '1',
            is_phone: '1',
            type: '2',
            name: 'Ada Berg',
            to_email: `person${company * 10}@company${company}.example`,
            subject: SUBJECT,
            body: `<p>${TEXT}</p>`,
            status: '1',
            user_id: '-1',
            after_send: '2',
          };
        },
      ),
    },
    pids: server.pids,
    stop: server.stop,
  };
}
