import { by, noun, searched, view } from '@keelson/core';
import { CompanyNames, SiteNames } from '@keelson/modules/directory';
import { DiscoveryJob, DiscoveryResult } from '../entities.ts';

export const jobNoun = noun(DiscoveryJob, {
  title: 'Discovery job',
  filters: (its) => ({
    company_number: its.is('company_number'),
    site_number: its.is('site_number'),
    status: its.is('status'),
  }),
  sorts: { created_at: by('created_at') },
});

/** Job in lists (F-64). */
export const JobItem = view(jobNoun, {
  more: (its) => ({
    company_name: its.name(CompanyNames, 'company_number'),
    site_name: its.name(SiteNames, 'site_number'),
  }),
});

export const resultNoun = noun(DiscoveryResult, {
  title: 'Discovery result',
  filters: (its) => ({
    company_number: its.is('company_number'),
    site_number: its.is('site_number'),
    job_id: its.is('job_id'),
    state: its.is('state'),
    asset_id: its.is('asset_id'),
    search: searched(DiscoveryResult),
  }),
  sorts: { discovered_at: by('discovered_at') },
});

/** Result in lists (F-65), with the reason for its match. */
export const ResultItem = view(resultNoun);
