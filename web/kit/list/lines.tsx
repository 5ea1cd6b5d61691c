// Short list with two lines per item: title and details.
import type { ReactNode } from 'react';
import { Link } from 'wouter';

interface LinesProps {
  readonly title: string;
  /** Shown beside the title, such as a link to the full list. */
  readonly act?: ReactNode;
  readonly children: ReactNode;
}

export function Lines({ title, act, children }: LinesProps) {
  return (
    <section className="line-part">
      <header>
        <h2>{title}</h2>
        {act}
      </header>
      <ul className="line-list">{children}</ul>
    </section>
  );
}

interface LineProps {
  readonly title: ReactNode;
  readonly to?: string | undefined;
  /** Second line; parts are separated by dots. */
  readonly about?: readonly ReactNode[];
  /** Leading element: an avatar or status. */
  readonly start?: ReactNode;
  /** Trailing element: a status or actions. */
  readonly end?: ReactNode;
  readonly children?: ReactNode;
}

export function Line({ title, to, about = [], start, end, children }: LineProps) {
  const said = about.filter(Boolean);
  return (
    <li className="line">
      {start}
      <div className="line-body">
        {to ? (
          <Link href={to} className="line-title">
            {title}
          </Link>
        ) : (
          <b className="line-title">{title}</b>
        )}
        {said.length > 0 && (
          <span className="line-about">
            {said.map((each, index) => (
              <span key={index}>{each}</span>
            ))}
          </span>
        )}
        {children}
      </div>
      {end && <div className="line-end">{end}</div>}
    </li>
  );
}
