export { answerAppointment, planAppointment } from './appointments/appointments.ts';
export { CalendarFeed } from './feeds/entities.ts';
export { Appointment } from './appointments/entities.ts';
export type { NewAppointment } from './appointments/fields.ts';
