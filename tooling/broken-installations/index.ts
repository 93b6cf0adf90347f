import { databaseSetups } from './database.ts'
import { fileSetups } from './files.ts'
import type { BrokenSetup } from './installation.ts'
import { serviceSetups } from './services.ts'

/** Installations with something wrong, for the test of `doctor` and for `npm run drill -- doctor`. */
export const brokenSetups: readonly BrokenSetup[] = [...fileSetups, ...databaseSetups, ...serviceSetups]
