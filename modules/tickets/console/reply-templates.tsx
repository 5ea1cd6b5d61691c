import { call, Icon, Menu, useItem, toastError, t } from '@keelson/web';

/** Picker for reply templates, filled with the ticket's data. */
export function ReplyTemplates({ ticket, onChoose }: { ticket: number; onChoose: (text: string) => void }) {
  const templates = useItem('GET /reply-templates.php').data ?? [];
  if (templates.length === 0) return null;
  const fill = async (id: number) => {
    try {
      const { data } = await call('GET /reply-templates.php?action=fill&id={id}', { id, ticket_id: ticket });
      onChoose(data.text);
    } catch (error) {
      toastError(error);
    }
  };
  return (
    <Menu
      label={t('Reply templates')}
      keys=";"
      className="button quiet"
      choices={templates.map((each: { template_id: number; title: string }) => ({
        value: each.template_id,
        label: each.title,
      }))}
      onChoose={(id) => void fill(Number(id))}
    >
      <Icon name="file" />
      {t('Templates')}
    </Menu>
  );
}
