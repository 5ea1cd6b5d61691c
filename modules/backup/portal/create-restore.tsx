import { Form, RecordPage, TextField, texts, toast, useChange, useLocation } from '@keelson/web';

const names = ['description', 'items', 'restore_point', 'destination'];

export default function CreateRestore() {
  const [, go] = useLocation();
  const create = useChange('POST /backup/restore-requests', {
    quiet: true,
    touches: ['/backup', '/tickets'],
    done: () => {
      toast('Request received');
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
    <RecordPage title="Request a restore" back={{ to: '/backup', title: 'Back to backups' }}>
      <Form
        submit="Send"
        names={names}
        busy={create.isPending}
        error={create.error}
        onCancel={() => history.back()}
        onSubmit={submit}
      >
        <TextField name="description" label="What is missing or broken?" required lines={3} max={5000} autoFocus />
        <TextField name="items" label="Files and folders, one per line" lines={4} max={5000} />
        <TextField name="restore_point" label="Restore to the state of" type="date" />
        <TextField
          name="destination"
          label="Restore to"
          hint="Leave blank and we will ask before replacing anything."
          max={500}
        />
      </Form>
    </RecordPage>
  );
}
