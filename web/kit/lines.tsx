// A list of a few things in two lines each: what it is, and what is said about it.
import type { ReactNode } from 'react';
import { Link } from 'wouter';

interface LinesProps {
  readonly title: string;
  /** Beside the title, such as a link to all of them. */
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
  /** The second line; its parts are separated by dots. */
  readonly about?: readonly ReactNode[];
  /** Before it: a picture of somebody, a state. */
  readonly start?: ReactNode;
  /** After it: a state, or what can be done. */
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
