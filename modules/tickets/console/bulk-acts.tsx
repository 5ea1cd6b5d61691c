import { Button, confirm, Dialog, Form, Menu, rawText, useMay } from '@keelson/web';
import { useState } from 'react';
import { changeTickets, useTechnicians, type BulkChange } from './change.tsx';
import { priorityChoices, statusChoices } from './look.tsx';
import { TagField, tagsIn } from './tags.tsx';

/** Bulk actions on the selected tickets. */
export function BulkActs({ ids, done }: { ids: readonly number[]; done: () => void }) {
  const technicians = useTechnicians();
  const may = useMay();
  const [tagging, setTagging] = useState(false);
  const run = (change: BulkChange) => void changeTickets(ids, change).then(done);
  const tag = (given: FormData) => {
    const [first] = tagsIn(rawText(given, 'tags'));
    if (first) run({ action: 'add_tag', tag: first });
  };
  const remove = async () => {
    const yes = await confirm({
      title: `Delete ${ids.length} tickets?`,
      text: 'This cannot be undone.',
      act: 'Delete',
      danger: true,
    });
    if (yes) run({ action: 'delete' });
  };
  return (
    <>
      <Menu
        label="Give selected to"
        choices={technicians.map((each: { user_id: number; name: string }) => ({
          value: each.user_id,
          label: each.name,
        }))}
        onChoose={(assigned_to) => run({ action: 'assign', assigned_to: Number(assigned_to) })}
      >
        Assign
      </Menu>
      <Menu
        label="Status of selected"
        choices={statusChoices}
        onChoose={(status) => run({ action: 'update_status', status })}
      >
        Status
      </Menu>
      <Menu
        label="Priority of selected"
        choices={priorityChoices}
        onChoose={(priority) => run({ action: 'update_priority', priority: Number(priority) })}
      >
        Priority
      </Menu>
      <Button look="quiet" icon="tag" onClick={() => setTagging(true)}>
        Tag
      </Button>
      <Dialog title={`Tag ${ids.length} tickets`} open={tagging} onClose={() => setTagging(false)}>
        <Form submit="Add tag" names={['tags']} onCancel={() => setTagging(false)} onSubmit={tag}>
          <TagField one />
        </Form>
      </Dialog>
      {may('tickets:delete') && (
        <Button look="quiet" icon="trash" onClick={() => void remove()}>
          Delete
        </Button>
      )}
    </>
  );
}
