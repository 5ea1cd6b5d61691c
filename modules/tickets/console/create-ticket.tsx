import {
  addressWith,
  Form,
  queries,
  RecordField,
  RecordPage,
  SelectField,
  stale,
  TextField,
  texts,
  toast,
  useChange,
  useDraft,
  useItem,
  useLocation,
  useSearchParams,
} from '@keelson/web';
import { useState } from 'react';
import { priorities } from './look.tsx';

const names = [
  'company_number',
  'site_number',
  'employee_number',
  'subject',
  'description',
  'priority',
  'job_type',
  'assigned_to',
];

export default function CreateTicket() {
  const [params] = useSearchParams();
  const [, go] = useLocation();
  const [company, setCompany] = useState<number | undefined>(Number(params.get('company')) || undefined);
  const categories = useItem('GET /job-types.php').data ?? [];
  const technicians = useItem('GET /tech-status.php').data ?? [];
  const [draft, setDraft] = useDraft('ticket/new/description');
  const create = useChange('POST /tickets.php', {
    quiet: true,
    touches: ['/tickets.php'],
    done: (made) => {
      setDraft('');
      toast(`Ticket ${made.ticket_number} is open`);
      void stale(queries, ['/companies.php']);
      go(addressWith('/tickets/:quoted', made.ticket_id));
    },
  });
  const submit = (given: FormData) => {
    const { subject, description, priority, job_type } = texts(given, 'subject', 'description', 'priority', 'job_type');
    const ids = Object.fromEntries(
      (['site_number', 'employee_number', 'assigned_to'] as const)
        .map((name) => [name, Number(given.get(name))] as const)
        .filter(([, id]) => id > 0),
    );
    create.mutate({
      body: {
        ...ids,
        company_number: Number(given.get('company_number')),
        subject,
        description,
        ...(priority && { priority: Number(priority) }),
        ...(job_type && { job_type }),
      },
    });
  };
  return (
    <RecordPage title="New ticket" back={{ to: '/tickets', title: 'Back to the tickets' }}>
      <div className="narrow">
        <Form
          submit="Open the ticket"
          busy={create.isPending}
          error={create.error}
          names={names}
          onCancel={() => history.back()}
          onSubmit={submit}
        >
          <RecordField
            type="company"
            name="company_number"
            label="Company"
            required
            value={company}
            onPick={(picked) => setCompany(picked && Number(picked.id))}
          />
          {company && (
            <RecordField
              type="contact"
              name="employee_number"
              label="Requester"
              where={{ company_number: company }}
              key={company}
            />
          )}
          <TextField name="subject" label="Subject" required max={255} />
          <div className="field">
            <label htmlFor="new-description">
              Description<span className="optional"> optional</span>
            </label>
            <textarea
              id="new-description"
              name="description"
              className="input"
              rows={6}
              value={draft}
              onChange={(event) => setDraft(event.target.value)}
            />
          </div>
          <div className="pair">
            <SelectField
              name="priority"
              label="Priority"
              value={3}
              choices={Object.entries(priorities).map(([value, label]) => ({ value, label }))}
            />
            <SelectField
              name="job_type"
              label="Category"
              choices={categories.map((each: { name: string }) => ({ value: each.name, label: each.name }))}
            />
          </div>
          <SelectField
            name="assigned_to"
            label="Assignee"
            none="Nobody"
            choices={technicians.map((each: { user_id: number; name: string }) => ({
              value: each.user_id,
              label: each.name,
            }))}
          />
        </Form>
      </div>
    </RecordPage>
  );
}
