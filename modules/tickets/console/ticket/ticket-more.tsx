// Secondary ticket actions: history, merge, delete.
import {
  confirm,
  Dialog,
  Menu,
  useChange,
  useCommands,
  useKeys,
  useGo,
  useMay,
  Icon,
  type Choice,
  t,
} from '@keelson/web';
import { lazy, Suspense, useState } from 'react';
import type { Ticket } from './change.tsx';

// Loaded when they are needed, because the queue shows tickets too and has to be small.
const History = lazy(async () => ({ default: (await import('./all-history.tsx')).History }));
const Merge = lazy(async () => ({ default: (await import('./merge.tsx')).Merge }));

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
        <Suspense>
          <History id={ticket.ticket_id} />
        </Suspense>
      </Dialog>
      <Dialog
        title={t('Merge ticket {ticket_number}', { ticket_number: ticket.ticket_number })}
        open={open === 'merge'}
        onClose={() => setOpen(undefined)}
      >
        <Suspense>
          <Merge ticket={ticket} done={() => setOpen(undefined)} />
        </Suspense>
      </Dialog>
    </>
  );
}
