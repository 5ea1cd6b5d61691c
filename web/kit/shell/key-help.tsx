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
  const [taken, setTaken] = useState<string>();
  const keys = useKnownKeys().filter(({ usual }) => usual);
  const { keys: changed } = usePreferences();
  useKeys([{ keys: '?', title: t('Show keyboard shortcuts'), run: () => setOpen(true) }]);
  const close = () => {
    setOpen(false);
    setChanging(undefined);
  };
  const start = (title: string) => {
    setChanging(title);
    setTaken(undefined);
  };
  const set = (title: string, key: string | undefined) => {
    const { [title]: _, ...others } = changed;
    changePreferences({ keys: key === undefined ? others : { ...others, [title]: key } });
    setChanging(undefined);
  };
  const onKey = (title: string) => (event: KeyboardEvent) => {
    const name = nameOf(event.nativeEvent);
    if (name === '' || event.key === 'Tab' || event.key === 'Shift') return;
    event.preventDefault();
    event.stopPropagation();
    if (name === 'Escape') return setChanging(undefined);
    if (name === 'Backspace' || name === 'Delete') return set(title, '');
    const other = keys.find((each) => each.title !== title && uses(each.keys, name));
    if (other) setTaken(t('{key} is already used for “{title}”.', { key: keyName(name), title: other.title }));
    else set(title, name);
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
                    <Button size="small" look="quiet" onClick={() => set(title, undefined)}>
                      {t('Default')}
                      <span className="hidden"> {t('shortcut for {title}', { title })}</span>
                    </Button>
                  )}
                </>
              )}
            </dd>
            {changing === title && taken && (
              <dd className="field-error">
                <span role="alert">{taken}</span>
              </dd>
            )}
          </div>
        ))}
      </dl>
    </Dialog>
  );
}
