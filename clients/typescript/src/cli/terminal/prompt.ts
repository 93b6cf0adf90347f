import { createInterface } from 'node:readline/promises'
import { buffer } from 'node:stream/consumers'
import { InterruptedError, UsageError } from '../cli-error.ts'

/** Whether a person can be asked. */
export const isInteractive = (): boolean => Boolean(process.stdin.isTTY && process.stderr.isTTY)

/** All of standard input. */
export const readStandardInput = async (): Promise<string> => decodeText('Standard input', await buffer(process.stdin))

/** Text from bytes. Bytes that are no UTF-8 are an error: they would be published as other characters. */
export function decodeText(name: string, bytes: Uint8Array): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes)
  } catch {
    throw new UsageError(`${name} is not UTF-8 text.`, 'Save or convert it as UTF-8.')
  }
}

/** Asks a question on standard error, so that standard output has only results. */
export async function ask(question: string): Promise<string> {
  const lines = createInterface({ input: process.stdin, output: process.stderr })
  const stopped = new Promise<never>((_, reject) =>
    lines.once('SIGINT', () => {
      process.stderr.write('\n')
      reject(new InterruptedError(''))
    }),
  )
  try {
    return (await Promise.race([lines.question(question), stopped])).trim()
  } finally {
    lines.close()
  }
}

/** Asks for a secret. The terminal does not show what is typed. */
export async function askHidden(question: string): Promise<string> {
  const { stdin } = process
  // Before the question, so that nothing is shown of what is typed early.
  stdin.setRawMode(true).setEncoding('utf8').resume()
  process.stderr.write(question)
  let typed = ''
  try {
    for await (const part of stdin.iterator({ destroyOnReturn: false }) as AsyncIterable<string>)
      for (const character of part) {
        if (character === '\r' || character === '\n' || character === '\x04') return typed.trim()
        if (character === '\x03') throw new InterruptedError('')
        if (character === '\x7f' || character === '\b') typed = typed.slice(0, -1)
        else if (character >= ' ') typed += character
      }
    return typed.trim()
  } finally {
    stdin.setRawMode(false).pause()
    process.stderr.write('\n')
  }
}
