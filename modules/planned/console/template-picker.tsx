// Fills the form for a new ticket from a template.
import { SelectField, useItem, type Row, t } from '@keelson/web';

type Template = Row<'GET /ticket-templates.php'>;

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
  const templates = useItem('GET /ticket-templates.php', { per_page: 100 }).data ?? [];
  if (templates.length === 0) return null;
  const choose = (id: string) => {
    const template = templates.find((each: Template) => String(each.template_id) === id);
    onFill(template && filledBy(template));
  };
  return (
    <SelectField
      name="template"
      label={t('Use template')}
      none={t('None')}
      choices={templates.map((each: Template) => ({ value: each.template_id, label: each.name }))}
      onChoose={choose}
    />
  );
}

const filledBy = ({ template_id, subject, description, job_type, priority, assigned_to, due_in_days }: Template) => ({
  ...{ template_id, subject, description, job_type, priority, assigned_to },
  due_date: due_in_days === null ? '' : dayAfter(due_in_days),
});

/** Returns the day in so many days, in the time zone of the browser: `2026-11-21`. */
function dayAfter(days: number): string {
  const at = new Date();
  at.setDate(at.getDate() + days);
  return [at.getFullYear(), at.getMonth() + 1, at.getDate()].map((each) => String(each).padStart(2, '0')).join('-');
}
