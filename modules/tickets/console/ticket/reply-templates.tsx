import { call, Icon, Menu, useItem, useGo, toastError, t } from '@keelson/web';

const MANAGE = 0;

/** Picker for reply templates, filled with the ticket's data. */
export function ReplyTemplates({ ticket, onChoose }: { ticket: number; onChoose: (text: string) => void }) {
  const { data: templates } = useItem('GET /reply-templates.php');
  const go = useGo();
  if (!templates) return null;
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
      choices={[
        ...templates.map(({ template_id, title }) => ({ value: template_id, label: title })),
        { value: MANAGE, label: t('Manage templates'), icon: 'edit' },
      ]}
      onChoose={(id) => (id === MANAGE ? go('/reply-templates') : void fill(id))}
    >
      <Icon name="file" />
      {t('Templates')}
    </Menu>
  );
}
