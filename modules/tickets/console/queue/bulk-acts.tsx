import { Button, Dialog, Form, Menu, rawText, useMay, t } from '@keelson/web';
import { useState } from 'react';
import { useTechnicians } from '../ticket/change.tsx';
import { priorityChoices, statusChoices } from '../ticket/look.tsx';
import { TagField, tagsIn } from '../ticket/tags.tsx';
import { BulkPreview, type BulkChange } from './bulk-preview.tsx';

/** Bulk actions on the selected tickets. Each shows a preview before it changes anything. */
export function BulkActs({ ids, done }: { ids: readonly number[]; done: () => void }) {
  const technicians = useTechnicians();
  const may = useMay();
  const [tagging, setTagging] = useState<'add_tag' | 'remove_tag'>();
  const [asked, setAsked] = useState<BulkChange>();
  const tag = (given: FormData) => {
    const [first] = tagsIn(rawText(given, 'tags'));
    if (first && tagging) setAsked({ action: tagging, tag: first });
    setTagging(undefined);
  };
  return (
    <>
      <Menu
        label={t('Assign selected to')}
        choices={technicians.map((each: { user_id: number; name: string }) => ({
          value: each.user_id,
          label: each.name,
        }))}
        onChoose={(assigned_to) => setAsked({ action: 'assign', assigned_to: Number(assigned_to) })}
      >
        {t('Assign')}
      </Menu>
      <Menu
        label={t('Status of selected')}
        choices={statusChoices}
        onChoose={(status) => setAsked({ action: 'update_status', status })}
      >
        {t('Status')}
      </Menu>
      <Menu
        label={t('Priority of selected')}
        choices={priorityChoices}
        onChoose={(priority) => setAsked({ action: 'update_priority', priority: Number(priority) })}
      >
        {t('Priority')}
      </Menu>
      <Menu
        label={t('Tags of selected')}
        choices={[
          { value: 'add_tag', label: t('Add a tag') },
          { value: 'remove_tag', label: t('Remove a tag') },
        ]}
        onChoose={(action) => setTagging(action === 'add_tag' ? 'add_tag' : 'remove_tag')}
      >
        {t('Tags')}
      </Menu>
      <Dialog
        title={tagging === 'remove_tag' ? t('Remove a tag') : t('Add a tag')}
        open={tagging !== undefined}
        onClose={() => setTagging(undefined)}
      >
        <Form submit={t('Preview')} onCancel={() => setTagging(undefined)} onSubmit={tag}>
          <TagField one />
        </Form>
      </Dialog>
      {may('tickets:delete') && (
        <Button look="quiet" icon="trash" onClick={() => setAsked({ action: 'delete' })}>
          {t('Delete')}
        </Button>
      )}
      {asked && (
        <BulkPreview
          key={JSON.stringify(asked)}
          ids={ids}
          change={asked}
          onCancel={() => setAsked(undefined)}
          onDone={() => {
            setAsked(undefined);
            done();
          }}
        />
      )}
    </>
  );
}
