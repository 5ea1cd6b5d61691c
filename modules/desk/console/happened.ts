// What a notification says, before the title of its record: in the console and in browsers without an open page.

/** Returns a message in the reader's language. */
type Translate = (message: string, values: { name: string }) => string;

const texts = (t: Translate, name: string) => ({
  assigned: () => t('{name} assigned you', { name }),
  answered: () => t('{name} answered', { name }),
  decided: () => t('{name} decided on', { name }),
  mentioned: () => t('{name} mentioned you on', { name }),
  replied: () => t('{name} replied on', { name }),
  noted: () => t('{name} added a note to', { name }),
  moved: () => t('{name} changed the status of', { name }),
  sla_warned: () => t('{name} is due soon:', { name: clockIn(t, name) }),
  sla_breached: () => t('{name} missed its target:', { name: clockIn(t, name) }),
  rated: () => t('{name} rated', { name }),
  escalated: () => t('{name} escalated', { name }),
  task: () => t('{name} assigned you a task on', { name }),
  appointment_moved: () => t('{name} moved the appointment of', { name }),
  appointment_declined: () => t('{name} declined the appointment of', { name }),
  mail_held: () => t('Mail from {name} is waiting for review:', { name }),
  answered_absent: () => t('{name} replied to an absent colleague on', { name }),
});

/** Returns the name of an SLA clock, which stands for a person and is stored in English. */
function clockIn(t: Translate, name: string): string {
  const clocks = new Map([
    ['First response', t('First response', { name })],
    ['Next response', t('Next response', { name })],
    ['Resolution', t('Resolution', { name })],
  ]);
  return clocks.get(name) ?? name;
}

export const happened = (kind: keyof ReturnType<typeof texts>, t: Translate, name: string): string =>
  texts(t, name)[kind]();
