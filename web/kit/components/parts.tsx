// Basic UI components.
import type { ButtonHTMLAttributes, ReactNode } from 'react';
import { Link } from 'wouter';
import { ago, date, initials, moment } from '../format.ts';
import { useNow } from '../now.ts';
import { Refused } from '../request/refused.ts';
import { t } from '../shell/words.ts';
import { Icon } from './icon.tsx';
import type { IconName } from './icons.ts';

export type Tone = 'ok' | 'warn' | 'danger' | 'info' | 'muted' | 'accent';

interface ButtonProps extends Omit<ButtonHTMLAttributes<HTMLButtonElement>, 'type'> {
  readonly look?: 'primary' | 'plain' | 'quiet' | 'danger';
  readonly size?: 'small';
  readonly icon?: IconName;
  /** Shortcut shown beside the label. */
  readonly keys?: string;
  readonly type?: 'button' | 'submit';
}

export function Button({
  look = 'plain',
  size,
  icon,
  keys,
  children,
  className = '',
  type = 'button',
  ...rest
}: ButtonProps) {
  return (
    <button {...rest} type={type} className={`button ${look} ${size ?? ''} ${className}`} aria-keyshortcuts={keys}>
      {icon && <Icon name={icon} />}
      {children}
    </button>
  );
}

/** Icon-only button; its label is the accessible name and tooltip. */
export function IconButton({
  icon,
  label,
  ...rest
}: { icon: IconName; label: string } & ButtonHTMLAttributes<HTMLButtonElement>) {
  return (
    <button {...rest} type="button" className={`icon-button ${rest.className ?? ''}`} title={label}>
      <Icon name={icon} />
      <span className="hidden">{label}</span>
    </button>
  );
}

/** Link styled as a button. */
export function LinkButton({
  to,
  look = 'plain',
  icon,
  children,
}: {
  to: string;
  look?: 'primary' | 'plain';
  icon?: IconName;
  children: ReactNode;
}) {
  return (
    <Link href={to} className={`button ${look}`}>
      {icon && <Icon name={icon} />}
      {children}
    </Link>
  );
}

/** Status badge with text and a shape, so that it does not rely on colour alone. */
export function Badge({ tone = 'muted', icon, children }: { tone?: Tone; icon?: IconName; children: ReactNode }) {
  return (
    <span className={`badge tone-${tone}`}>
      {icon ? <Icon name={icon} size={14} /> : <i className="dot" aria-hidden="true" />}
      {children}
    </span>
  );
}

/** Relative time with the exact time as a tooltip. Dates without a time are shown as dates. */
export function Time({ at, form = 'ago' }: { at: string | null | undefined; form?: 'ago' | 'date' | 'moment' }) {
  if (!at) return <span className="tone-muted">–</span>;
  const day = at.length === 10;
  const text = day || form === 'date' ? date(at) : form === 'moment' ? moment(at) : <Ago at={at} />;
  return (
    <time dateTime={at} title={day ? undefined : moment(at)}>
      {text}
    </time>
  );
}

const Ago = ({ at }: { at: string }) => ago(at, useNow());

/** Phone number as a tel: link. */
export function Phone({ number }: { number: string }) {
  return <a href={`tel:${number.replace(/[^\d+]/g, '')}`}>{number}</a>;
}

export function Avatar({
  name,
  tone = 'accent',
  size,
}: {
  name: string | null;
  tone?: 'accent' | 'warm';
  size?: 'small';
}) {
  return (
    <span className={`avatar ${size ?? ''}`} data-tone={name ? tone : 'none'} aria-hidden="true">
      {name ? initials(name) : '–'}
    </span>
  );
}

/** Skeleton placeholder. */
export function Bones({ rows = 4 }: { rows?: number }) {
  return (
    <div className="bones" aria-hidden="true">
      {Array.from({ length: rows }, (_, index) => (
        <i key={index} />
      ))}
    </div>
  );
}

interface NoteProps {
  readonly tone?: Tone;
  readonly title?: ReactNode;
  readonly icon?: IconName;
  readonly act?: { readonly title: string; readonly run: () => void } | undefined;
  readonly children?: ReactNode;
}

const noteIcons = {
  ok: 'circle-check',
  warn: 'alert',
  danger: 'circle-alert',
  info: 'info',
  muted: 'info',
  accent: 'info',
} as const;

export function Note({ tone = 'info', title, icon = noteIcons[tone], act, children }: NoteProps) {
  return (
    <div className="note" data-tone={tone} role={tone === 'danger' ? 'alert' : undefined}>
      <Icon name={icon} />
      <div>
        {title && <b>{title}</b>} {children}
      </div>
      {act && (
        <Button size="small" onClick={act.run}>
          {act.title}
        </Button>
      )}
    </div>
  );
}

/** Error message from the server with the request id and a retry button. */
export function Failed({ error, retry }: { error: Error; retry?: () => void }) {
  const id = error instanceof Refused ? error.requestId : undefined;
  return (
    <Note tone="danger" title={error.message} act={retry && { title: t('Try again'), run: retry }}>
      {id && <span className="request-id">{t('Request {id}', { id })}</span>}
    </Note>
  );
}

/** Empty state with an optional action. */
export function Empty({ icon = 'inbox', title, children }: { icon?: IconName; title: string; children?: ReactNode }) {
  return (
    <div className="empty">
      <Icon name={icon} size={28} />
      <p>{title}</p>
      {children}
    </div>
  );
}

export const Kbd = ({ children }: { children: ReactNode }) => <kbd>{children}</kbd>;

/** Description list. Facts without a value are hidden unless `always`. */
export function Facts({ children }: { children: ReactNode }) {
  return <dl className="facts">{children}</dl>;
}

export function Fact({ name, always = false, children }: { name: string; always?: boolean; children: ReactNode }) {
  if (!always && (children === null || children === undefined || children === '' || children === false)) return null;
  return (
    <>
      <dt>{name}</dt>
      <dd>{children ?? '–'}</dd>
    </>
  );
}

/** Framed section of a page. */
export function Card({
  title,
  act,
  children,
  flush = false,
}: {
  title?: ReactNode;
  act?: ReactNode;
  children: ReactNode;
  flush?: boolean;
}) {
  return (
    <section className="card" data-flush={flush || undefined}>
      {title && (
        <header>
          <h2>{title}</h2>
          {act}
        </header>
      )}
      {children}
    </section>
  );
}

/** Key figure with a label. */
export function Figure({ name, children, to }: { name: string; children: ReactNode; to?: string }) {
  const body = (
    <>
      <span>{name}</span>
      <b>{children}</b>
    </>
  );
  return to ? (
    <Link href={to} className="figure">
      {body}
    </Link>
  ) : (
    <div className="figure">{body}</div>
  );
}
