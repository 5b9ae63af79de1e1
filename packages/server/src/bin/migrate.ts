#!/usr/bin/env node
/** Migrates the database as the role in MILEPOST_OWNER_DATABASE_URL, and grants the role in DATABASE_URL its permissions. */
import { migrateDatabase } from './processes.ts';

await migrateDatabase(process.env);
