import { defineNames } from '@keelson/core';
import { Contract } from './contracts/entities.ts';
import { Vendor } from './vendors/entities.ts';

export const ContractNames = defineNames(Contract, ['name'], (row) => row.name);
export const VendorNames = defineNames(Vendor, ['name'], (row) => row.name);
