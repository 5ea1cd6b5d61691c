// osTicket: every page is HTML from the server; the page after signing in is the queue.
import { join } from 'node:path';
import { formOf, found, openSession, pagesOf, signInEach } from './driver.ts';
import { startPhp } from './php-server.ts';
import { companyOf, PASSWORD, SUBJECT, TEXT, WORD, type Product, type Setting } from './product.ts';

const PORT = 3342;

/** Starts an installed osTicket and signs an agent in once per connection. */
export async function startOsticket({ folder, databasePort, connections }: Setting): Promise<Product> {
  const root = join(folder, 'osticket');
  const server = await startPhp({ name: 'osticket', port: PORT, root, work: join(folder, 'work'), databasePort });
  const token = (page: string) => found(page, /name="__CSRFToken__" value="([^"]+)"/);
  const sessions = await signInEach(connections, async () => {
    const session = openSession(PORT);
    const form = { __CSRFToken__: token(await session.get('/scp/login.php')), do: 'scplogin' };
    await session.post('/scp/login.php', { ...form, userid: 'adatech', passwd: PASSWORD });
    const page = await session.get('/scp/tickets.php?a=open');
    return { cookie: session.cookie(), token: token(page) };
  });
  const page = pagesOf(sessions, '/scp/');
  return {
    name: 'osTicket',
    port: PORT,
    operations: {
      list: page('tickets.php?queue=1', '1 - 25 of'),
      deep: page('tickets.php?queue=8&p=2000', '49976 - 50000 of'),
      search: page(`tickets.php?a=search&query=${WORD}`, ` ${WORD}`),
      queue: page('tickets.php', '1 - 25 of'),
      home: page('index.php', '1 - 25 of'),
      create: formOf(
        sessions,
        { path: '/scp/tickets.php?a=open', status: 302, contains: 'tickets.php?id=' },
        (token, connection, n) => {
          return {
            __CSRFToken__: token,
            do: 'create',
            a: 'open',
            uid: String(companyOf(connection, n) * 10),
            'reply-to': 'none',
            source: 'Phone',
            topicId: '1',
            deptId: '1',
            slaId: '1',
            assignId: '0',
            statusId: '1',
            signature: 'none',
            subject: SUBJECT,
            message: TEXT,
          };
        },
      ),
    },
    pids: server.pids,
    stop: server.stop,
  };
}
