import { Sheet, Slot, useSession, t } from '@keelson/web';

/** Home page with cards from modules. */
export default function Home() {
  const { person } = useSession();
  const [first] = person.name.split(' ');
  return (
    <Sheet title={greeting(first ?? '')}>
      <div className="home-cards">
        <Slot name="home.card" />
      </div>
    </Sheet>
  );
}

function greeting(name: string): string {
  const hour = new Date().getHours();
  return hour < 12
    ? t('Good morning, {name}', { name })
    : t(hour < 18 ? 'Good afternoon, {name}' : 'Good evening, {name}', { name });
}
