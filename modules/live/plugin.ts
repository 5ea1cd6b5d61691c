import { definePlugin } from '@keelson/core';
import { streams } from './live.ts';
import routes from './routes/surfaces.ts';

export default definePlugin({
  id: 'live',
  title: 'Live updates',
  description: 'The stream that tells open pages which records change.',
  routes,
  async start(app) {
    app.metrics.gauge('keelson_live_streams', 'Open change streams.', () => streams(app).streams, 'sum');
  },
  drain: (app) => streams(app).drain(),
});
