// Secondary ticket actions: history, merge, delete.
import {
  addressWith,
  confirm,
  Dialog,
  Form,
  Menu,
  RecordField,
  toast,
  useChange,
  useCommands,
  useKeys,
  useGo,
  useMay,
  Icon,
  type Choice,
  t,
} from '@keelson/web';
import { useState } from 'react';
import type { Ticket } from './change.tsx';
import { History } from './history.tsx';

type Act = 'history' | 'merge' | 'delete' | `command ${string}`;

export function TicketMore({ ticket }: { ticket: Ticket }) {
  const may = useMay();
  const go = useGo();
  const [open, setOpen] = useState<Act>();
  const commands = useCommands('ticket', ticket);
  const mayWrite = may('tickets:write');
  useKeys([...(mayWrite ? [{ keys: '', title: t('Merge into…'), run: () => setOpen('merge') }] : []), ...commands]);
  const choices: readonly Choice<Act>[] = [
    { value: 'history', label: t('History'), icon: 'history' },
    ...(mayWrite ? [{ value: 'merge', label: t('Merge into…'), icon: 'merge' } as const] : []),
    ...commands.map(({ id, title }) => ({ value: `command ${id}`, label: title }) as const),
    ...(may('tickets:delete') ? [{ value: 'delete', label: t('Delete'), icon: 'trash', danger: true } as const] : []),
  ];
  const remove = useChange('DELETE /tickets.php?id={id}', { touches: ['/tickets.php'], done: () => go('/tickets') });
  const askToRemove = async () => {
    const title = t('Delete ticket {ticket_number}?', { ticket_number: ticket.ticket_number });
    const text = t('Its comments, time entries and files will be deleted too.');
    if (await confirm({ title, text, act: t('Delete'), danger: true })) remove.mutate({ id: ticket.ticket_id });
  };
  const choose = (act: Act) => {
    const command = commands.find(({ id }) => act === `command ${id}`);
    if (command) command.run();
    else if (act === 'delete') void askToRemove();
    else setOpen(act);
  };
  return (
    <>
      <Menu label={t('More')} className="icon-button" choices={choices} onChoose={choose}>
        <Icon name="more" />
      </Menu>
      <Dialog title={t('History')} open={open === 'history'} onClose={() => setOpen(undefined)} wide>
        <History id={ticket.ticket_id} />
      </Dialog>
      <Dialog
        title={t('Merge ticket {ticket_number}', { ticket_number: ticket.ticket_number })}
        open={open === 'merge'}
        onClose={() => setOpen(undefined)}
      >
        <Merge ticket={ticket} done={() => setOpen(undefined)} />
      </Dialog>
    </>
  );
}

function Merge({ ticket, done }: { ticket: Ticket; done: () => void }) {
  const go = useGo();
  const merge = useChange('POST /tickets.php?action=merge&id={id}', {
    quiet: true,
    touches: ['/tickets.php'],
    done: (_, { body: { into } }) => {
      done();
      toast(t('Merged'));
      go(addressWith('/tickets/:quoted', into));
    },
  });
  const submit = (given: FormData) => merge.mutate({ id: ticket.ticket_id, body: { into: Number(given.get('into')) } });
  return (
    <Form
      submit={t('Merge')}
      busy={merge.isPending}
      error={merge.error}
      names={['into']}
      onCancel={done}
      onSubmit={submit}
    >
      <p>{t('Comments, time entries and files move to the other ticket, and this one is closed.')}</p>
      <RecordField
        type="ticket"
        name="into"
        label={t('Into ticket')}
        required
        where={{ company_number: ticket.company_number }}
        except={ticket.ticket_id}
      />
    </Form>
  );
}
