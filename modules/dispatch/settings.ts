import { setting, z } from '@keelson/core';

/** Whether contacts can move their appointments to another time online. */
export const ContactsMoveAppointments = setting('dispatch.contacts_move', z.boolean(), true);
