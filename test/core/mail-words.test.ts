// Filling in mail templates within limits.
import test from 'ava';
import { fillIn } from '../../packages/mail/mail-words.ts';

/** Holds the event loop, as a suspension of the process does. */
function hold(ms: number): void {
  for (const end = performance.now() + ms; performance.now() < end;);
}

test('a template is filled in although the process was suspended meanwhile', (t) => {
  let suspended = false;
  const values = {
    get subject() {
      if (!suspended) hold(300);
      suspended = true;
      return 'Printer';
    },
  };
  t.is(fillIn('About {{ subject }}{% for n in (1..3) %} {{ n }}{% endfor %}', values), 'About Printer 1 2 3');
  t.true(suspended);
});

test('a template that takes too long is refused', (t) => {
  const nested = '{% for i in (1..900) %}{% for j in (1..900) %}{{ i }}{% endfor %}{% endfor %}';
  t.throws(() => fillIn(nested, {}), { message: /limit exceeded/ });
});
