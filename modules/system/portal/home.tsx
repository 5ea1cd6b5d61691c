// Home page of the portal: a search field, and panels from modules.
import { Button, Icon, Slot, texts, useGo, useMay, usePageTitle, useSession, t } from '@keelson/web';
import type { FormEvent } from 'react';

export default function Home() {
  const { person } = useSession();
  usePageTitle(t('Home'));
  return (
    <div className="portal-home">
      <h1>{t('Hello {name}, what do you need?', { name: person.name.split(' ')[0] })}</h1>
      <Ask />
      <Slot name="portal.home" />
    </div>
  );
}

/** Opens a new ticket, which first suggests articles, or the articles for people who may not create tickets. */
function Ask() {
  const go = useGo();
  const may = useMay();
  const send = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const { text } = texts(new FormData(event.currentTarget), 'text');
    const asked = new URLSearchParams(text ? { text } : {}).toString();
    go(`${may('can_create_tickets') ? '/tickets/new' : '/help'}${asked && `?${asked}`}`);
  };
  return (
    <form className="ask" role="search" onSubmit={send}>
      <Icon name="search" />
      <label className="hidden" htmlFor="ask">
        {t('What you need')}
      </label>
      <input id="ask" name="text" autoComplete="off" maxLength={255} placeholder={t('Describe it in your own words')} />
      <Button type="submit" look="primary">
        {t('Ask')}
      </Button>
    </form>
  );
}
