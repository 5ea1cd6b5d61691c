// ITFlow: every page is HTML from the server; the queue is also the list.
import { join } from 'node:path';
import { formOf, found, openSession, pagesOf, signInEach } from './driver.ts';
import { startPhp } from './php-server.ts';
import { companyOf, EMAIL, PASSWORD, SUBJECT, TEXT, WORD, type Product, type Setting } from './product.ts';

const PORT = 3341;

/** Starts an installed ITFlow and signs a technician in once per connection. */
export async function startItflow({ folder, databasePort, connections }: Setting): Promise<Product> {
  const root = join(folder, 'itflow');
  const server = await startPhp({ name: 'itflow', port: PORT, root, work: join(folder, 'work'), databasePort });
  const sessions = await signInEach(connections, async () => {
    const session = openSession(PORT);
    await session.get('/login.php');
    await session.post('/login.php', { login: '1', email: EMAIL, password: PASSWORD });
    const dialog = await session.get('/agent/modals/ticket/ticket_add.php');
    return { cookie: session.cookie(), token: found(dialog, /csrf_token\\?" value=\\?"([^"\\]+)/) };
  });
  const page = pagesOf(sessions, '/agent/');
  return {
    name: 'ITFlow',
    port: PORT,
    operations: {
      list: page('tickets.php?state=open', 'ticket.php?ticket_id='),
      deep: page('tickets.php?state=closed&page=2000', 'ticket.php?ticket_id='),
      search: page(`tickets.php?state=all&q=${WORD}`, ` ${WORD}`),
      queue: page('tickets.php', 'ticket.php?ticket_id='),
      home: page('clients.php', 'client_overview.php?client_id='),
      create: formOf(sessions, { path: '/agent/post.php', status: 302, contains: 'ticket' }, (token, connection, n) => {
        const company = companyOf(connection, n);
        return {
          csrf_token: token,
          client_id: String(company),
          contact_id: String(company * 10),
          subject: SUBJECT,
          details: `<p>${TEXT}</p>`,
          priority: 'Medium',
          category_id: '0',
          assigned_to: '0',
          due: '',
          project_id: '0',
          asset_id: '0',
          location_id: '0',
          vendor_id: '0',
          vendor_ticket_number: '',
          ticket_template_id: '0',
          add_ticket: '',
        };
      }),
    },
    pids: server.pids,
    stop: server.stop,
  };
}
