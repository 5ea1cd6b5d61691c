import { defineNames } from '@keelson/core';
import { Vendor } from './vendors/entities.ts';

export const VendorNames = defineNames(Vendor, ['name'], (row) => row.name);
