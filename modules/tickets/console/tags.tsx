// Tags of a ticket: shown in lists, and added and removed beside the conversation.
import {
  EditingForm,
  Field,
  IconButton,
  Link,
  rawText,
  Section,
  toastError,
  useEditing,
  useItem,
  useRested,
} from '@keelson/web';
import { useId, useState } from 'react';
import { editTicket, type Ticket } from './change.tsx';

/** Shows tags in a row of a list. */
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
  const change = (next: string[], said: string) => editTicket(ticket_id, { tags: next }, { tags }, said);
  const { open, toggle, ...form } = useEditing(async (given) => {
    const added = tagsIn(rawText(given, 'tags'));
    if (added.length > 0) await change([...tags, ...added], added.length === 1 ? 'Tag added' : 'Tags added');
  });
  if (tags.length === 0 && !writes) return null;
  return (
    <Section
      title="Tags"
      act={writes && !open && <IconButton icon="plus" label="Add a tag" className="quiet" onClick={toggle} />}
    >
      {tags.length > 0 && (
        <ul className="tags">
          {tags.map((tag: string) => (
            <li key={tag} className="tag">
              <Link href={`/tickets?tag=${encodeURIComponent(tag)}`}>{tag}</Link>
              {writes && (
                <IconButton
                  icon="x"
                  label={`Remove tag ${tag}`}
                  className="quiet"
                  onClick={() =>
                    void change(
                      tags.filter((each: string) => each !== tag),
                      `Tag ${tag} removed`,
                    ).catch(toastError)
                  }
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
      {tags.length === 0 && !open && <p className="tone-muted">No tags</p>}
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
    <Field name="tags" label={one ? 'Tag' : 'Tags'} required={one} {...(!one && { hint: 'Separate with commas' })}>
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
