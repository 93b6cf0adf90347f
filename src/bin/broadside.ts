#!/usr/bin/env node
import { existsSync } from 'node:fs'

// `npm run bundle` writes the whole program into a few files, which load in a fraction of the time. A checkout runs its
// sources, because a bundle would hide their changes.
const bundle = new URL('../../dist/program/main.js', import.meta.url)
const isBundled = process.env['NODE_ENV'] === 'production' && existsSync(bundle)
// Errors name the lines of the sources.
if (isBundled) process.setSourceMapsEnabled(true)
await import(isBundled ? bundle.href : './startup/main.ts')
