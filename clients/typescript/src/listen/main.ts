#!/usr/bin/env node
import { ListenError, listen } from './listen.ts'
import { help, readOptions, UsageError } from './options.ts'
import { printable } from './print.ts'

const [command, ...args] = process.argv.slice(2)

try {
  if ([command, ...args].some((word) => word === '--help' || word === '-h')) process.stdout.write(help)
  else if (command === 'listen') await listen(readOptions(args, process.env))
  else throw new UsageError('The only command is `listen`.')
} catch (error) {
  if (!(error instanceof UsageError || error instanceof ListenError)) throw error
  process.stderr.write(`${printable(error.message)}\n`)
  if (error instanceof UsageError) process.stderr.write('`npx broadside listen --help` lists the options.\n')
  process.exitCode = error instanceof UsageError ? 2 : 1
}
