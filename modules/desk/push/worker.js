// Shows a technician's notifications, and opens their record when they are clicked.
self.addEventListener('push', (event) => {
  const { title, body, tag, path } = event.data.json();
  event.waitUntil(self.registration.showNotification(title, { body, tag, data: { path } }));
});

self.addEventListener('notificationclick', (event) => {
  event.notification.close();
  event.waitUntil(open(event.notification.data.path));
});

/** A click allows one of the two: focus a page, or open another. */
async function open(path) {
  const pages = await self.clients.matchAll({ type: 'window', includeUncontrolled: true });
  const shown = pages.find((each) => new URL(each.url).pathname === path);
  return shown ? shown.focus() : self.clients.openWindow(path);
}
