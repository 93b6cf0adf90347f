import { UsageError } from '../../src/bin/command.ts'

/** A command that was called incorrectly or cannot run here. It exits with 2. */
export class Misuse extends UsageError {}
