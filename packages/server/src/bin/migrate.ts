#!/usr/bin/env node
/** Brings the database up to date, as its owner (MILEPOST_OWNER_DATABASE_URL), for the role that DATABASE_URL serves as. */
import { migrateDatabase } from './processes.ts';

await migrateDatabase(process.env);
