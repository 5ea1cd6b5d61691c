// New-ticket page. Other modules suggest answers as the person types (slot `portal.ask`).
import {
  addressWith,
  Form,
  Note,
  SelectField,
  Sheet,
  Slot,
  texts,
  toast,
  useChange,
  useDraft,
  useItem,
  useGo,
  useSearchParams,
  type Data,
  ChosenFiles,
  FilesButton,
  useRested,
  t,
} from '@keelson/web';
import { type ClipboardEvent, useState } from 'react';
import { AssetField } from './asset-field.tsx';
import { sendToTicket } from './files.tsx';
import { WatchersField, type Colleague } from './watchers.tsx';

const urgencies = [
  { value: 2, label: t('I can’t work') },
  { value: 3, label: t('It slows me down') },
  { value: 4, label: t('It can wait') },
];

export default function CreateTicket() {
  const [params] = useSearchParams();
  const go = useGo();
  const [text, setText] = useDraft('ticket/new/description');
  const [subject, setSubject] = useState(params.get('text') ?? '');
  const [jobType, setJobType] = useState('');
  const [watchers, setWatchers] = useState<readonly Colleague[]>([]);
  const [files, setFiles] = useState<readonly File[]>([]);
  const asked = useRested(`${subject} ${text}`.trim(), 400);
  const { data } = useItem('GET /job-types');
  const categories: readonly { name: string; requires_approval: boolean }[] = data?.job_types ?? [];
  const sent = async ({ ticket_id, ticket_number, requires_approval }: Data<'POST /tickets'>) => {
    setText('');
    await sendToTicket(ticket_id, files);
    toast(
      requires_approval
        ? t('Ticket {ticket_number} created and sent to your manager', { ticket_number })
        : t('Ticket {ticket_number} created', { ticket_number }),
    );
    go(addressWith('/tickets/:quoted', ticket_id));
  };
  const create = useChange('POST /tickets', { quiet: true, touches: ['/tickets'], done: (made) => void sent(made) });
  const submit = (given: FormData) => {
    const chosen = texts(given, 'job_type', 'priority', 'asset_id');
    const body = {
      subject: subject.trim(),
      description: text.trim() || subject.trim(),
      priority: Number(chosen.priority) || 3,
      ...(chosen.job_type && { job_type: chosen.job_type }),
      ...(watchers.length > 0 && { watchers: watchers.map((each) => each.employee_number) }),
      ...(chosen.asset_id && { asset_id: Number(chosen.asset_id) }),
    };
    create.mutate({ body });
  };
  const paste = (event: ClipboardEvent) => {
    const pasted = [...event.clipboardData.files];
    if (pasted.length === 0) return;
    event.preventDefault();
    setFiles([...files, ...pasted]);
  };
  return (
    <Sheet title={t('New ticket')}>
      <div className="create-ticket">
        <Form
          submit={t('Send')}
          busy={create.isPending}
          error={create.error}
          onCancel={() => history.back()}
          onSubmit={submit}
        >
          <div className="field">
            <label htmlFor="new-subject">{t('What is it about?')}</label>
            <input
              id="new-subject"
              className="input"
              required
              maxLength={255}
              autoComplete="off"
              autoFocus
              value={subject}
              onChange={(event) => setSubject(event.target.value)}
              onPaste={paste}
            />
          </div>
          <Slot name="portal.ask" text={asked} />
          <div className="field">
            <label htmlFor="new-text">
              {t('What happened, and when did it start?')}
              <span className="optional"> {t('optional')}</span>
            </label>
            <textarea
              id="new-text"
              className="input"
              rows={6}
              maxLength={50_000}
              value={text}
              onChange={(event) => setText(event.target.value)}
              onPaste={paste}
            />
          </div>
          <div className="pair">
            <SelectField
              name="job_type"
              label={t('Category')}
              none={t('I don’t know')}
              onChoose={setJobType}
              choices={categories.map(({ name }) => ({ value: name, label: name }))}
            />
            <SelectField name="priority" label={t('How urgent is it?')} required value={3} choices={urgencies} />
          </div>
          <AssetField />
          <WatchersField chosen={watchers} onChange={setWatchers} />
          {categories.find((each) => each.name === jobType)?.requires_approval && (
            <Note>{t('Your manager needs to approve this first. We’ll let you know when it is approved.')}</Note>
          )}
          <FilesField files={files} onChange={setFiles} />
        </Form>
      </div>
    </Sheet>
  );
}

function FilesField({ files, onChange }: { files: readonly File[]; onChange: (files: readonly File[]) => void }) {
  return (
    <div className="files-field">
      <ChosenFiles files={files} onChange={onChange} />
      <FilesButton look="quiet" label={t('Images or files')} onFiles={(more) => onChange([...files, ...more])}>
        {t('Add images or files')}
      </FilesButton>
    </div>
  );
}
