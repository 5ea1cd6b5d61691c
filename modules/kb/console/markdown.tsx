import { Failed, Field, RichText, useAnswer, useRested, t } from '@keelson/web';
import { useState } from 'react';

interface MarkdownProps {
  readonly article_id: number;
  readonly text: string;
  readonly onType: (text: string) => void;
}

const REST_MS = 300;
const PREVIEW = 'POST /kb/articles.php?action=preview&id={id}';

/** Markdown field with a debounced preview. */
export function Markdown({ article_id, text, onType }: MarkdownProps) {
  const content = useRested(text, REST_MS);
  const preview = useAnswer(PREVIEW, { id: article_id, body: { content } }, { enabled: content.trim() !== '' });
  // Keep the previous preview until the next one arrives.
  const [html, setHtml] = useState('');
  const made = preview.data as { content_html: string } | undefined;
  if (made && made.content_html !== html) setHtml(made.content_html);
  return (
    <div className="markdown">
      <Field
        name="content"
        label={t('Text')}
        hint={t('Markdown: # heading, **bold**, - list, [text](https://…)')}
        required
      >
        {(control) => (
          <textarea
            {...control}
            className="input"
            rows={24}
            value={text}
            maxLength={100_000}
            onChange={(event) => onType(event.target.value)}
          />
        )}
      </Field>
      <section className="preview" aria-label={t('Preview')} tabIndex={0}>
        <p className="tone-muted">{t('Preview')}</p>
        {preview.error ? (
          <Failed error={preview.error} retry={() => void preview.refetch()} />
        ) : (
          <RichText html={html} />
        )}
      </section>
    </div>
  );
}
