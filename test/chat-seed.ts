// Seeds chats: an employee who chats, and a technician who answers.
import type { TestApp } from '@keelson/testing';
import { seedCompany, seedEmployee, seedTechnician, signInOnPage, type EmployeeSeed } from './accounts-seed.ts';
import { asEmployee, staff } from './tickets-seed.ts';

/** Creates an employee with an open chat. */
export async function seedChatter(app: TestApp, given: EmployeeSeed = {}) {
  const company_number = given.company_number ?? (await seedCompany(app)).company_number;
  const person = await seedEmployee(app, { ...given, company_number });
  const send = await asEmployee(app, person);
  const { body } = await send('POST', '/chat/start');
  const chat_id: number = body.chat_id;
  const say = (message: string) => send('POST', `/chat/${chat_id}/messages`, { message });
  const read = async (query = '?per_page=100'): Promise<Said[]> =>
    (await send('GET', `/chat/${chat_id}/messages${query}`)).body.messages;
  return { company_number, person, send, chat_id, say, read };
}

export interface Said {
  readonly message_id: number;
  readonly sender_type: string;
  readonly message: string;
  readonly created_at: string;
}

/** Formats messages as `sender: text`. */
export const lines = (messages: readonly Said[]): string[] =>
  messages.map(({ sender_type, message }) => `${sender_type}: ${message}`);

/** Creates a technician with a browser session. */
export async function seedAgent(app: TestApp) {
  const technician = await seedTechnician(app, 'technician');
  const cookie = await signInOnPage(app, technician);
  const headers = { 'Sec-Fetch-Site': 'same-origin' };
  const send = (method: string, path: string, body?: unknown) =>
    app.request(method, `${staff}${path}`, { cookie, headers, ...(body === undefined ? {} : { body }) });
  return { technician, send };
}
