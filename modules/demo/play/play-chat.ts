// The demo's chats: an employee with the assistant, and a website visitor waiting for a person.
import type { App, EmployeeActor } from '@keelson/core';
import { theSystem } from '@keelson/core/log';
import { employeeName } from '@keelson/core/surfaces';
import { contextOf } from '@keelson/core/system';
import { handOverVisitor, sendMessage, startChat } from '@keelson/modules/chat';
import type { Customer } from '../people.ts';

export async function playChats(app: App, { employee, company }: Customer): Promise<void> {
  const actor: EmployeeActor = { ...employee, company_name: company.customer, session_id: 0, via: 'token' };
  const author = { type: 'employee', id: employee.employee_number, name: employeeName(employee) } as const;
  const ctx = contextOf({ app, actor, author });
  const { chat } = await ctx.transaction(startChat);
  await sendMessage(ctx, chat.chat_id, 'The VPN won’t connect from home');

  const visitor = contextOf({ app, actor: undefined, author: theSystem });
  const said = [
    { by: 'user', message: 'Do you support offices of twenty people?' },
    { by: 'assistant', message: 'I couldn’t find anything about that.' },
  ] as const;
  await visitor.transaction((each) =>
    handOverVisitor(each, { page_url: 'https://www.harbour-it.example/offices', said }),
  );
}
