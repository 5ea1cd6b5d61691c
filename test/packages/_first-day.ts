// What an administrator does first with an installed Keelson, over HTTP only: nothing of the product runs in the test.
import type { ExecutionContext } from 'ava';
import { pagesOf, textOf } from '../core/_pdf-text.ts';

const person = { name: 'Ada Byron', email: 'ada@example.com', password: 'a long walk by the sea' };
const subject = 'Größe 打印机 プリンター 프린터';

/** Sets up the administrator with the printed link, makes a company and a ticket, and exports it as PDF. */
export async function firstDay(t: ExecutionContext, url: string, link: string): Promise<void> {
  const token = new URL(link).searchParams.get('token') ?? '';
  t.is((await form(`${url}/admin/setup`, { token, ...person })).status, 303);
  const ask = await signedIn(t, url);
  const { company_number } = (await ask('POST', 'companies.php', { customer: 'Northwind' })).data;
  await ask('POST', 'tickets.php', { subject, company_number });
  await sees(t, url, ask);
}

/** After a restart: signs in again and finds the ticket. */
export async function nextDay(t: ExecutionContext, url: string): Promise<void> {
  await sees(t, url, await signedIn(t, url));
}

type Ask = (method: string, path: string, body?: object) => Promise<any>;

async function signedIn(t: ExecutionContext, url: string): Promise<Ask> {
  const answer = await form(`${url}/admin/login`, person);
  t.is(answer.status, 303);
  const Cookie = answer.headers.getSetCookie()[0]?.split(';')[0] ?? '';
  return async (method, path, body) => {
    const headers = { Cookie, 'Content-Type': 'application/json', 'Sec-Fetch-Site': 'same-origin' };
    const answered = await fetch(`${url}/admin/api/v1/${path}`, {
      method,
      headers,
      ...(body && { body: JSON.stringify(body) }),
    });
    t.true(answered.ok, `${method} ${path}: ${answered.ok || (await answered.text())}`);
    const isPdf = answered.headers.get('Content-Type') === 'application/pdf';
    return isPdf ? Buffer.from(await answered.arrayBuffer()) : answered.json();
  };
}

async function sees(t: ExecutionContext, url: string, ask: Ask): Promise<void> {
  const pdf = await ask('GET', 'tickets.php?action=export&format=pdf');
  // A narrow column breaks the line.
  t.true(
    textOf(pagesOf(pdf)[0] ?? [])
      .replaceAll(/\s/g, '')
      .includes(subject.replaceAll(' ', '')),
  );
  const portal = await (await fetch(`${url}/helpdesk`)).text();
  const script = /<script[^>]* src="([^"]+)"/.exec(portal)?.[1] ?? 'none';
  t.is((await fetch(new URL(script, url))).status, 200, 'pages are built');
}

function form(address: string, fields: Readonly<Record<string, string>>): Promise<Response> {
  return fetch(address, {
    method: 'POST',
    redirect: 'manual',
    headers: { 'Sec-Fetch-Site': 'same-origin' },
    body: new URLSearchParams(fields),
  });
}
