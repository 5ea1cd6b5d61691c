// Tags of a ticket: shown in lists, and added and removed beside the conversation.
import {
  Dialog,
  EditingForm,
  Field,
  Filter,
  Form,
  IconButton,
  Link,
  rawText,
  Section,
  toastError,
  useEditing,
  useItem,
  useRested,
  t,
} from '@keelson/web';
import { useId, useState } from 'react';
import type { Ticket } from './change.tsx';
import { editList } from './lists.tsx';

/** Shows tags in a list row. */
export function TagMarks({ tags }: { tags: readonly string[] }) {
  return tags.map((tag) => (
    <span key={tag} className="tag">
      {tag}
    </span>
  ));
}

/** Returns the tags in a text such as `printer, vip`. */
export const tagsIn = (text: string): string[] =>
  text
    .split(',')
    .map((each) => each.trim())
    .filter(Boolean);

export function Tags({ ticket: { ticket_id, tags }, writes }: { ticket: Ticket; writes: boolean }) {
  const { open, toggle, ...form } = useEditing(async (given) => {
    const add = tagsIn(rawText(given, 'tags'));
    const said = add.length === 1 ? t('Tag added') : t('Tags added');
    if (add.length > 0) await editList(ticket_id, 'tags', { add }, said);
  });
  const remove = (tag: string) =>
    void editList(ticket_id, 'tags', { remove: [tag] }, t('Tag {tag} removed', { tag })).catch(toastError);
  if (tags.length === 0 && !writes) return null;
  return (
    <Section
      title={t('Tags')}
      act={writes && !open && <IconButton icon="plus" label={t('Add tag')} className="quiet" onClick={toggle} />}
    >
      {tags.length > 0 && (
        <ul className="tags">
          {tags.map((tag: string) => (
            <li key={tag} className="tag">
              <Link href={`/tickets?tag=${encodeURIComponent(tag)}`}>{tag}</Link>
              {writes && (
                <IconButton
                  icon="x"
                  label={t('Remove tag {tag}', { tag })}
                  className="quiet"
                  onClick={() => remove(tag)}
                />
              )}
            </li>
          ))}
        </ul>
      )}
      {open && (
        <EditingForm {...form} onCancel={toggle}>
          <TagField known={tags} />
        </EditingForm>
      )}
      {tags.length === 0 && !open && <p className="tone-muted">{t('No tags')}</p>}
    </Section>
  );
}

/** Field for one tag, or for several separated by commas, with suggestions from tags in use. */
export function TagField({ known = [], one = false }: { known?: readonly string[]; one?: boolean }) {
  const list = useId();
  const [text, setText] = useState('');
  const comma = text.lastIndexOf(',') + 1;
  const search = useRested(text.slice(comma).trim(), 200);
  const found = useItem('GET /tickets.php?action=tags', { starts_with: search }).data ?? [];
  const before = text.slice(0, comma) + (comma > 0 ? ' ' : '');
  return (
    <Field
      name="tags"
      label={one ? t('Tag') : t('Tags')}
      required={one}
      {...(!one && { hint: t('Separate with commas') })}
    >
      {(control) => (
        <>
          <input
            {...control}
            className="input"
            list={list}
            autoComplete="off"
            value={text}
            onChange={(event) => setText(event.target.value)}
          />
          <datalist id={list}>
            {found
              .filter((each: { tag: string }) => !known.includes(each.tag))
              .map((each: { tag: string }) => (
                <option key={each.tag} value={before + each.tag} />
              ))}
          </datalist>
        </>
      )}
    </Field>
  );
}

/** Number of tags that the server suggests at once. */
const SUGGESTED = 20;
/** Not a valid tag, because commas separate tags. */
const OTHER = ',';

/** Suggests the first tags in use, loaded when the field gets focus, and any others by name. */
export function TagFilter({ value, onChoose }: { value: string; onChoose: (tag: string) => void }) {
  const [reached, setReached] = useState(false);
  const [asking, setAsking] = useState(false);
  const reach = () => setReached(true);
  const known = useItem('GET /tickets.php?action=tags', {}, { enabled: reached }).data ?? [];
  const tags = new Set([...known.map((each: { tag: string }) => each.tag), ...(value ? [value] : [])]);
  const choices = [...tags].map((tag) => ({ value: tag, label: tag }));
  const more = known.length < SUGGESTED ? [] : [{ value: OTHER, label: t('Another tag…') }];
  const find = (given: FormData) => {
    const [tag] = tagsIn(rawText(given, 'tags'));
    if (tag) onChoose(tag.toLowerCase());
    setAsking(false);
  };
  return (
    <span onPointerEnter={reach} onFocus={reach}>
      <Filter
        label={t('Tag')}
        value={value}
        choices={[...choices, ...more]}
        onChoose={(tag) => (tag === OTHER ? setAsking(true) : onChoose(tag))}
      />
      <Dialog title={t('Filter by tag')} open={asking} onClose={() => setAsking(false)}>
        <Form submit={t('Filter')} onCancel={() => setAsking(false)} onSubmit={find}>
          <TagField one />
        </Form>
      </Dialog>
    </span>
  );
}
