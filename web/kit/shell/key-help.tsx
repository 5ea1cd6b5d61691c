import { useState, type KeyboardEvent } from 'react';
import { Dialog } from '../components/menu.tsx';
import { Button } from '../components/parts.tsx';
import { keyName, nameOf, useKeys, useKnownKeys } from './keys.tsx';
import { changePreferences, usePreferences } from './preferences.ts';
import { t } from './words.ts';

/** Shortcut help, opened with `?`. Each shortcut can be changed or disabled here. */
export function KeyHelp() {
  const [open, setOpen] = useState(false);
  const [changing, setChanging] = useState<string>();
  const keys = useKnownKeys().filter(({ usual }) => usual);
  const { keys: changed } = usePreferences();
  useKeys([{ keys: '?', title: t('Show keyboard shortcuts'), run: () => setOpen(true) }]);
  const close = () => {
    setOpen(false);
    setChanging(undefined);
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
    if (name === 'Escape') setChanging(undefined);
    else set(title, name === 'Backspace' || name === 'Delete' ? '' : name);
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
                    <Button size="small" look="quiet" onClick={() => setChanging(title)}>
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
          </div>
        ))}
      </dl>
    </Dialog>
  );
}
