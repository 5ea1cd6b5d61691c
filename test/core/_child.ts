// A child that answers after a while, or works without end.
process.on('message', (told: { readonly wait?: number; readonly work?: boolean }) => {
  while (told.work) process.uptime();
  if (told.wait !== undefined) setTimeout(() => process.send?.('done'), told.wait);
});
