import { admin, all, change, created, findOr404, input, item, nothing, remove, show, showOne, z } from '@keelson/core';
import { ReadTickets, WriteTickets } from '@keelson/modules/tickets';
import { lockPhase } from '../../find-one.ts';
import { phaseFields } from '../../inputs.ts';
import { createPhase, listPhases, orderPhases, PhaseItem, Phases } from '../../projects/phases.ts';
import { lockProject, Projects } from '../../projects/projects.ts';

export default [
  admin.get('/projects.php?action=phases&id={id}', {
    title: 'List the phases of a project',
    access: ReadTickets,
    addition: true,
    returns: all(PhaseItem),
    load: (ctx, { id }) => findOr404(ctx, Projects, id),
    handle: async (ctx, { item: { project_id } }) => show(ctx, PhaseItem, await listPhases(ctx, project_id)),
  }),
  admin.post('/projects.php?action=phases&id={id}', {
    title: 'Add a phase to a project',
    access: WriteTickets,
    addition: true,
    body: z.object(phaseFields),
    returns: created(PhaseItem),
    load: (ctx, { id }) => lockProject(ctx, id),
    handle: (ctx, { item: project, body }) => showOne(ctx, PhaseItem, createPhase(ctx, project, body)),
  }),
  admin.put('/projects.php?action=phase-order&id={id}', {
    title: 'Reorder the phases of a project',
    access: WriteTickets,
    addition: true,
    body: z.object({ phase_ids: z.array(input.id()).max(100, 'must contain at most 100 phases') }),
    returns: all(PhaseItem),
    load: (ctx, { id }) => lockProject(ctx, id),
    handle: async (ctx, { item: project, body: { phase_ids } }) =>
      show(ctx, PhaseItem, await orderPhases(ctx, project, phase_ids)),
  }),
  admin.put('/projects.php?action=phases&id={id}&phase_id={phase_id}', {
    title: 'Update a phase',
    access: WriteTickets,
    addition: true,
    body: input.changes(phaseFields),
    returns: item(PhaseItem),
    load: (ctx, path) => lockPhase(ctx, path),
    handle: (ctx, { item: phase, body }) => showOne(ctx, PhaseItem, change(ctx, Phases, phase, body)),
  }),
  admin.delete('/projects.php?action=phases&id={id}&phase_id={phase_id}', {
    title: 'Delete a phase',
    access: WriteTickets,
    addition: true,
    returns: nothing(),
    load: (ctx, path) => lockPhase(ctx, path),
    handle: (ctx, { item: phase }) => remove(ctx, Phases, phase),
  }),
];
