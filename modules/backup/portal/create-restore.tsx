import { Form, RecordPage, TextField, texts, toast, useChange, useGo, t } from '@keelson/web';

const names = ['description', 'items', 'restore_point', 'destination'];

export default function CreateRestore() {
  const go = useGo();
  const create = useChange('POST /backup/restore-requests', {
    quiet: true,
    touches: ['/backup', '/tickets'],
    done: () => {
      toast(t('Request received'));
      go('/backup');
    },
  });
  const submit = (given: FormData) => {
    const { description, items, restore_point, destination } = texts(given, ...names);
    create.mutate({
      body: {
        description: description ?? '',
        items: (items ?? '').split(/\s*\n\s*/).filter(Boolean),
        ...(restore_point && { restore_point }),
        ...(destination && { destination }),
      },
    });
  };
  return (
    <RecordPage title={t('Request a restore')} back={{ to: '/backup', title: t('Back to backups') }}>
      <Form
        submit={t('Send')}
        busy={create.isPending}
        error={create.error}
        onCancel={() => history.back()}
        onSubmit={submit}
      >
        <TextField name="description" label={t('What is missing or broken?')} required lines={3} max={5000} autoFocus />
        <TextField name="items" label={t('Files and folders, one per line')} lines={4} max={5000} />
        <TextField name="restore_point" label={t('Restore to the state of')} type="date" />
        <TextField
          name="destination"
          label={t('Restore to')}
          hint={t('Leave blank and we will ask before replacing anything.')}
          max={500}
        />
      </Form>
    </RecordPage>
  );
}
