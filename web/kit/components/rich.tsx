import { Fragment, type ReactNode } from 'react';
import { piecesOf } from '../shell/words.ts';

/** Translates a message with elements: `rich('Closed by {name}', { name: <b>{name}</b> })`. */
export function rich(message: string, values: Readonly<Record<string, ReactNode>>): ReactNode {
  return piecesOf(message, values).map((each, index) => <Fragment key={index}>{each}</Fragment>);
}
