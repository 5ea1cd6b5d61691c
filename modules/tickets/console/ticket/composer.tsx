// Composer for a reply, a note or both, with time spent and new status, submitted in one request (T-26).
import {
  Button,
  FilesButton,
  Icon,
  Kbd,
  KeptFiles,
  Menu,
  minutes,
  queries,
  Refused,
  stale,
  useDraft,
  useHeldFiles,
  useKeys,
  useMay,
  useMeasured,
  useUploads,
  toastError,
  t,
  withinSentence,
} from '@keelson/web';
import { useRef, useState, type ClipboardEvent, type DragEvent } from 'react';
import type { Ticket } from './change.tsx';
import { attachToNote, uploadFiles } from './files.tsx';
import { statuses, type Status } from './look.tsx';
import { useTyping } from './presence.tsx';
import { ReplyTemplates } from './reply-templates.tsx';
import { sendReply, type Reply } from './send-reply.tsx';

/** Returns a text that was not sent, followed by what has been typed since. */
const rejoined = (text: string, now: string): string => [text, now].filter(Boolean).join('\n');

export function Composer({ ticket, onSent }: { ticket: Ticket; onSent: () => void }) {
  const [note, setNote] = useState(false);
  const [reply, setReply] = useDraft(`ticket/${ticket.ticket_id}/reply`);
  const [internal, setInternal] = useDraft(`ticket/${ticket.ticket_id}/note`);
  const measured = useMeasured('ticket', ticket.ticket_id);
  /** Undefined until edited; until then the timer's value is used. */
  const [typed, setTime] = useState<string>();
  const time = typed ?? (measured ? String(measured.minutes) : '');
  const [billable, setBillable] = useState(true);
  const [status, setStatus] = useState<Status>();
  const [answered, setAnswered] = useState<string>();
  /** Files added to a note, held until the note is stored: only files on an internal comment are internal. */
  const held = useHeldFiles();
  /** An internal note is sent with the reply, unless it is unchecked. */
  const [both, setBoth] = useState(true);
  /** Files of a reply are sent with its mail, so they are stored before it. */
  const uploads = useUploads((chosen) => uploadFiles(ticket.ticket_id, chosen));
  const field = useRef<HTMLTextAreaElement>(null);
  const text = note ? internal : reply;
  const setText = note ? setInternal : setReply;
  const may = useMay()('tickets:write');
  const spent = Number(time) || 0;
  const paired = !note && reply.trim() !== '' && internal.trim() !== '';
  const along = paired && both ? internal.trim() : '';
  const files = note || along ? held.kept.map(({ file }) => file) : [];
  const empty = text.trim() === '' && (files.length > 0 || ((spent === 0 || typed === undefined) && !status));

  const write = (toNote: boolean) => {
    setNote(toNote);
    field.current?.focus();
  };
  const send = (anyway = false) => {
    if (empty || !may) return;
    const last = Math.max(0, ...ticket.comments.map((each: { comment_id: number }) => each.comment_id));
    const given: Reply = {
      comment: text.trim(),
      is_internal: note,
      ...(along && { note: along }),
      billable,
      seen_comment_id: last,
      ...(spent > 0 && { duration_minutes: spent }),
      ...(status && { status }),
      ...(anyway && { anyway }),
    };
    const before = { text, internal, time: typed, status, files };
    const { used } = (typed === undefined && measured) || {};
    setText('');
    setTime(used ? '' : undefined);
    setStatus(undefined);
    setAnswered(undefined);
    if (along) setInternal('');
    if (note || along) held.take();
    sendReply(ticket, given, {
      wait: !note || status === 'closed',
      uploads: note ? undefined : uploads.settle(),
      sent: (stored) => {
        onSent();
        used?.();
        setTime(undefined);
        if (files.length > 0) void attachToNote(stored, files).then(held.add);
      },
      leaving: () => used?.(true),
      back: (error) => {
        setText((now) => rejoined(before.text, now));
        if (along) setInternal((now) => rejoined(before.internal, now));
        setTime(before.time);
        setStatus(before.status);
        held.add(before.files.map((file) => ({ file })));
        if (error instanceof Refused && error.english?.includes('has commented since')) setAnswered(error.message);
        else if (error) toastError(error);
        void stale(queries, ['/tickets.php']);
      },
    });
  };

  useKeys([
    { keys: 'r', title: t('Reply'), run: () => write(false) },
    { keys: 'n', title: t('Write internal note'), run: () => write(true) },
    { keys: 'Mod+Enter', title: t('Send'), run: () => send(), inFields: true },
  ]);
  useTyping(ticket.ticket_id, text);
  if (!may) return null;

  const attach = (chosen: readonly File[]) => {
    if (note) held.add(chosen.map((file) => ({ file })));
    else uploads.add(chosen);
    return chosen.length > 0;
  };
  const onPaste = (event: ClipboardEvent) => attach([...event.clipboardData.files]) && event.preventDefault();
  const onDrop = (event: DragEvent) => attach([...event.dataTransfer.files]) && event.preventDefault();
  const to = ticket.requester_name ?? t('the customer');
  return (
    <section
      className="composer"
      data-note={note || undefined}
      aria-label={t('Answer')}
      onDrop={onDrop}
      onDragOver={(event) => event.preventDefault()}
    >
      <div className="composer-kinds">
        <button type="button" aria-pressed={!note} onClick={() => write(false)}>
          {t('Reply to {to}', { to })} <Kbd>R</Kbd>
        </button>
        <button type="button" aria-pressed={note} onClick={() => write(true)}>
          <Icon name="lock" size={14} /> {t('Internal note')} <Kbd>N</Kbd>
        </button>
        {text !== '' && (
          <span className="draft-kept">
            {t('Draft saved')}
            <button type="button" onClick={() => setText('')}>
              {t('Discard')}
            </button>
          </span>
        )}
      </div>
      <textarea
        ref={field}
        aria-label={note ? t('Internal note') : t('Reply to {to}', { to })}
        placeholder={note ? t('Only visible to your team') : t('Write to {to}', { to })}
        value={text}
        rows={3}
        onChange={(event) => setText(event.target.value)}
        onPaste={onPaste}
      />
      <div className="composer-files">
        {!note && <KeptFiles of={uploads} />}
        {(note || held.kept.some(({ reason }) => reason)) && <KeptFiles of={held} />}
      </div>
      {answered && (
        <div className="note" data-tone="warn" role="alert">
          <Icon name="alert" />
          <div>{answered}</div>
          <Button size="small" onClick={() => send(true)}>
            {t('Send anyway')}
          </Button>
        </div>
      )}
      <div className="composer-foot">
        <label className="time-spent">
          <Icon name="clock" />
          <span className="hidden">{t('Minutes worked')}</span>
          <input
            type="number"
            min={0}
            max={1440}
            inputMode="numeric"
            placeholder="0"
            value={time}
            onChange={(event) => setTime(event.target.value)}
          />
          {t('min')}
        </label>
        <label className="billable">
          <input type="checkbox" checked={billable} onChange={(event) => setBillable(event.target.checked)} />{' '}
          {t('Billable')}
        </label>
        {paired && (
          <label className="billable">
            <input type="checkbox" checked={both} onChange={(event) => setBoth(event.target.checked)} />{' '}
            {t('Add internal note')}
          </label>
        )}
        <FilesButton look="quiet" onFiles={attach} />
        <ReplyTemplates
          ticket={ticket.ticket_id}
          onChoose={(chosen) => setText(text ? `${text}\n${chosen}` : chosen)}
        />
        <span className="grow" />
        <Menu
          label={t('Status after sending')}
          value={status ?? ''}
          choices={[
            { value: '', label: t('Keep status') },
            ...Object.entries(statuses).map(([value, { title, icon }]) => ({
              value,
              label: t('and set {title}', { title: withinSentence(title) }),
              icon,
            })),
          ]}
          onChoose={(value) => setStatus((value || undefined) as Status | undefined)}
        >
          {status ? t('and set {title}', { title: withinSentence(statuses[status].title) }) : t('and set…')}
          <Icon name="chevron-up" />
        </Menu>
        <Button look="primary" icon={note ? 'file' : 'send'} keys="Mod+Enter" disabled={empty} onClick={() => send()}>
          {note
            ? t('Add note')
            : along
              ? t('Send both')
              : text.trim() === '' && spent > 0
                ? t('Log {spent}', { spent: minutes(spent) })
                : t('Send')}
        </Button>
      </div>
    </section>
  );
}
