import { useId } from 'react';
import { t } from '../shell/words.ts';

interface MailPreviewProps {
  /** The recipients: `Notice to 12 people`. */
  readonly title: string;
  readonly subject: string;
  readonly text: string;
  /** File names. */
  readonly attached?: readonly string[];
}

/** A preview of the mail to the first recipient, beside the form that sends it. */
export function MailPreview({ title, subject, text, attached = [] }: MailPreviewProps) {
  const heading = useId();
  return (
    <section className="mail-preview" aria-labelledby={heading}>
      <h3 id={heading}>{title}</h3>
      <b>{subject}</b>
      <p className="text">{text}</p>
      {attached.length > 0 && (
        <p className="tone-muted">{t('Attached: {attached}', { attached: attached.join(', ') })}</p>
      )}
    </section>
  );
}
