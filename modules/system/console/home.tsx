import { Sheet, Slot, useSession } from '@keelson/web';

/** Home page with cards from modules. */
export default function Home() {
  const { person } = useSession();
  const [first] = person.name.split(' ');
  return (
    <Sheet title={`${greeting()}, ${first}`}>
      <div className="home-cards">
        <Slot name="home.card" />
      </div>
    </Sheet>
  );
}

function greeting(): string {
  const hour = new Date().getHours();
  return hour < 12 ? 'Good morning' : hour < 18 ? 'Good afternoon' : 'Good evening';
}
