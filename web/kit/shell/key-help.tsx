import { useState, type KeyboardEvent } from 'react';
import { Dialog } from '../components/menu.tsx';
import { Button } from '../components/parts.tsx';
import { keyName, nameOf, useKeys, useKnownKeys } from './keys.tsx';
import { changePreferences, usePreferences } from './preferences.ts';
import { t } from './words.ts';

/** Whether `name` is one of these keys, or begins one of their sequences. */
const uses = (keys: string, name: string) => keys.split('|').some((one) => one === name || one.startsWith(`${name} `));

/** Shortcut help, opened with `?`. Each shortcut can be changed or disabled here. */
export function KeyHelp() {
  const [open, setOpen] = useState(false);
  const [changing, setChanging] = useState<string>();
  /** The action that was refused a key, and why. */
  const [taken, setTaken] = useState<{ readonly by: string; readonly said: string }>();
  const keys = useKnownKeys().filter(({ usual }) => usual);
  const { keys: changed } = usePreferences();
  useKeys([{ keys: '?', title: t('Show keyboard shortcuts'), run: () => setOpen(true) }]);
  const start = (title: string | undefined) => {
    setChanging(title);
    setTaken(undefined);
  };
  const stop = () => start(undefined);
  const close = () => {
    setOpen(false);
    stop();
  };
  const set = (title: string, key: string | undefined) => {
    const { [title]: _, ...others } = changed;
    changePreferences({ keys: key === undefined ? others : { ...others, [title]: key } });
    stop();
  };
  /** Sets a key, or the default one, unless another action uses it. */
  const choose = (title: string, name: string, key?: string) => {
    const other = keys.find((each) => each.title !== title && uses(each.keys, name));
    if (!other) return set(title, key);
    setTaken({
      by: title,
      said: t('{key} is already used for “{title}”.', { key: keyName(name), title: other.title }),
    });
  };
  const onKey = (title: string) => (event: KeyboardEvent) => {
    const name = nameOf(event.nativeEvent);
    if (name === '' || event.key === 'Tab' || event.key === 'Shift') return;
    event.preventDefault();
    event.stopPropagation();
    if (name === 'Escape') return stop();
    if (name === 'Backspace' || name === 'Delete') return set(title, '');
    choose(title, name, name);
  };
  return (
    <Dialog title={t('Keys')} open={open} onClose={close}>
      <dl className="key-lines">
        {keys.map(({ keys: shown, usual, title }) => (
          <div key={title} className="key-line">
            <dt>{title}</dt>
            <dd>
              {changing === title ? (
                <button type="button" className="button small" autoFocus onKeyDown={onKey(title)}>
                  {t('Press a key, or Backspace to clear')}
                </button>
              ) : (
                <>
                  {shown
                    .split('|')
                    .filter((one) => one !== '' && !one.startsWith('Arrow'))
                    .map((one) => (
                      <kbd key={one}>{keyName(one)}</kbd>
                    ))}
                  {usual.length === 1 && (
                    <Button size="small" look="quiet" onClick={() => start(title)}>
                      {t('Change')}
                      <span className="hidden"> {t('shortcut for {title}', { title })}</span>
                    </Button>
                  )}
                  {shown !== usual && (
                    <Button size="small" look="quiet" onClick={() => choose(title, usual)}>
                      {t('Default')}
                      <span className="hidden"> {t('shortcut for {title}', { title })}</span>
                    </Button>
                  )}
                </>
              )}
            </dd>
            {taken?.by === title && (
              <dd className="field-error">
                <span role="alert">{taken.said}</span>
              </dd>
            )}
          </div>
        ))}
      </dl>
    </Dialog>
  );
}
