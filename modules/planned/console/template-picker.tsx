// Fills in the new ticket form from a template.
import { call, RecordField, toastError, useItem, type Data, t } from '@keelson/web';

const READ = 'GET /ticket-templates.php?id={id}';

type Template = Data<typeof READ>;

interface Filled {
  readonly template_id: number;
  readonly subject: string;
  readonly description: string;
  readonly job_type: string;
  readonly priority: number;
  readonly assigned_to: number | null;
  readonly due_date: string;
}

export default function TemplatePicker({ onFill }: { onFill: (filled: Filled | undefined) => void }) {
  const [any] = useItem('GET /ticket-templates.php', { per_page: 1 }).data ?? [];
  if (!any) return null;
  const fill = async (id: number | undefined) =>
    onFill(id === undefined ? undefined : filledBy((await call(READ, { id })).data));
  return (
    <RecordField
      type="ticket_template"
      name="template"
      label={t('Template')}
      onPick={(picked) => void fill(picked && Number(picked.id)).catch(toastError)}
    />
  );
}

const filledBy = ({ template_id, subject, description, job_type, priority, assigned_to, due_in_days }: Template) => ({
  ...{ template_id, subject, description, job_type, priority, assigned_to },
  due_date: due_in_days === null ? '' : dayAfter(due_in_days),
});

/** Returns the date in a number of days, in the browser's time zone: `2026-11-21`. */
function dayAfter(days: number): string {
  const at = new Date();
  at.setDate(at.getDate() + days);
  return [at.getFullYear(), at.getMonth() + 1, at.getDate()].map((each) => String(each).padStart(2, '0')).join('-');
}
