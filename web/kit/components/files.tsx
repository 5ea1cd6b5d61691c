// Attachments of a record: upload, file selection, and a card that lists them.
import { useRef, type ReactNode } from 'react';
import { fileSize } from '../format.ts';
import { answered } from '../list/pages.ts';
import { ask, queries, stale, urlOf, useAnswer } from '../request/client.ts';
import { t } from '../shell/words.ts';
import { confirm } from './confirm.tsx';
import { Icon } from './icon.tsx';
import { Button, Card, IconButton } from './parts.tsx';
import { toastError } from './toast.tsx';

export interface Sent {
  /** Arguments of the operation, such as the record's id. */
  readonly args: Readonly<Record<string, unknown>>;
  readonly files: readonly File[];
  /** Extra form fields, such as the comment the files belong to. */
  readonly fields?: Readonly<Record<string, string>>;
  /** Path whose cached responses include the files. */
  readonly touches: string;
  /** Reports a refusal; a toast by default. */
  readonly failed?: (error: Error) => void;
}

/** Uploads files to a record and reports refusals. Returns true on success. */
export async function sendFiles(
  operation: string,
  { args, files, fields = {}, touches, failed }: Sent,
): Promise<boolean> {
  if (files.length === 0) return true;
  const body = new FormData();
  // Clipboard images have no name.
  for (const each of files) body.append('file', each, each.name || 'picture.png');
  for (const [name, value] of Object.entries(fields)) body.append(name, value);
  return said(ask(operation, { ...args, body }), touches, failed);
}

interface FilesButtonProps {
  readonly onFiles: (files: readonly File[]) => void;
  readonly look?: 'plain' | 'quiet';
  readonly size?: 'small';
  /** Accessible name of the input. */
  readonly label?: string;
  readonly children?: ReactNode;
}

/** File picker button; on a phone it also offers the camera. */
export function FilesButton({
  onFiles,
  look = 'plain',
  size,
  label = t('Files to attach'),
  children = t('Attach'),
}: FilesButtonProps) {
  const input = useRef<HTMLInputElement>(null);
  return (
    <>
      <Button look={look} {...(size && { size })} icon="paperclip" onClick={() => input.current?.click()}>
        {children}
      </Button>
      <input
        ref={input}
        type="file"
        multiple
        hidden
        aria-label={label}
        onChange={(event) => {
          onFiles([...(event.target.files ?? [])]);
          event.target.value = '';
        }}
      />
    </>
  );
}

/** List of selected files that are not yet uploaded; each can be removed. */
export function ChosenFiles({
  files,
  onChange,
}: {
  files: readonly File[];
  onChange: (files: readonly File[]) => void;
}) {
  return files.map((each, index) => (
    <span key={index} className="chosen-file">
      <Icon name="paperclip" size={14} /> {each.name} <span className="tone-muted">{fileSize(each.size)}</span>
      <IconButton
        icon="x"
        label={t('Remove {name}', { name: each.name })}
        onClick={() => onChange(files.filter((other) => other !== each))}
      />
    </span>
  ));
}

export interface Attachment {
  readonly attachment_id: number;
  readonly filename: string;
  readonly size: number;
}

interface FilesProps {
  /** Path of the record's operations: `/assets.php`. */
  readonly path: string;
  readonly id: string | number;
  /** The person may add and remove files. */
  readonly may: boolean;
}

export function Files({ path, id, may }: FilesProps) {
  const all = `${path}?action=attachments&id={id}`;
  const one = `${path}?action=attachment&id={id}&attachment_id={attachment_id}`;
  const { data } = useAnswer(`GET ${all}`, { id });
  const files = answered<Attachment>(data).rows;
  const send = (chosen: readonly File[]) =>
    void sendFiles(`POST ${all}`, { args: { id }, files: chosen, touches: path });
  const remove = async ({ attachment_id, filename }: Attachment) => {
    if (await confirm({ title: t('Delete {filename}?', { filename }), act: t('Delete'), danger: true }))
      await said(ask(`DELETE ${one}`, { id, attachment_id }), path);
  };
  if (files.length === 0 && !may) return null;
  return (
    <Card title={t('Files')} act={may && <FilesButton size="small" onFiles={send} />}>
      {files.length === 0 && <p className="tone-muted">{t('None yet.')}</p>}
      <ul className="file-list">
        {files.map((each) => (
          <li key={each.attachment_id}>
            <a href={urlOf(`GET ${one}`, { id, attachment_id: each.attachment_id })} download={each.filename}>
              <Icon name="paperclip" size={14} /> {each.filename}
            </a>
            <span className="tone-muted">{fileSize(each.size)}</span>
            {may && (
              <IconButton
                icon="trash"
                label={t('Delete {filename}', { filename: each.filename })}
                onClick={() => void remove(each)}
              />
            )}
          </li>
        ))}
      </ul>
    </Card>
  );
}

/** Reports a refusal and refetches the list either way. */
async function said(
  work: Promise<unknown>,
  path: string,
  failed: (error: Error) => void = toastError,
): Promise<boolean> {
  const done = await work.then(
    () => true,
    (error: Error) => {
      failed(error);
      return false;
    },
  );
  await stale(queries, [path]);
  return done;
}
