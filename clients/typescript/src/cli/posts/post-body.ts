import { readFileSync } from 'node:fs'
import type { Broadside } from '../../index.ts'
import { CliError, UsageError } from '../cli-error.ts'
import { type Command, commands } from '../command-table.ts'
import type { Context } from '../context.ts'
import { decodeText, readStandardInput } from '../terminal/prompt.ts'
import { oneLine } from '../terminal/text.ts'
import { resolvePlace } from './resolve-place.ts'

type Body = Record<string, unknown>
const bodyOptions = (commands.find(({ name }) => name === 'post') as Command).options.filter(({ field }) => field)

/** The body from a file or standard input, with the fields of the options instead of its own. */
export async function readBody(context: Context, file: string | undefined): Promise<Body> {
  const body = file === undefined ? {} : parseBody(file, file === '-' ? await readStandardInput() : readText(file))
  for (const { name, field } of bodyOptions) {
    if (!field || !context.isSet(name)) continue
    body[field] = await fieldValue(context, name)
  }
  if (Object.keys(body).length === 0)
    throw new UsageError('The post is missing.', 'Pass a JSON file, - for standard input, or options such as --text.')
  return body
}

/** The same body, with the name of a place turned into a location. Says which place it took. */
export async function withPlace({ out, text }: Context, client: Broadside, body: Body, kind: string): Promise<Body> {
  const name = text('place')
  if (name === undefined) return body
  const { label, location } = await resolvePlace(client, name, kind)
  out.note(`Place: ${oneLine(label)}`)
  return { ...body, location }
}

async function fieldValue({ text, list }: Context, name: string): Promise<unknown> {
  const value = text(name)
  if (value === undefined) return list(name)
  if (name === 'price') return priceFrom(value)
  if (name === 'body' && value.startsWith('@'))
    return value === '@-' ? readStandardInput() : readText(value.slice(1)).trimEnd()
  return value
}

/** "120 EUR" or "EUR 120". */
function priceFrom(value: string): { amount: number; currency: string } {
  const [, before, amount, after] = /^([a-z]{3})?\s*(\d+(?:\.\d+)?)\s*([a-z]{3})?$/i.exec(value.trim()) ?? []
  if (!amount || Boolean(before) === Boolean(after))
    throw new UsageError('--price must be an amount and a currency.', 'Write it like --price "120 EUR".')
  return { amount: Number(amount), currency: String(before ?? after).toUpperCase() }
}

function readText(path: string): string {
  return decodeText(path, readBytes(path))
}

function readBytes(path: string): Uint8Array {
  try {
    return readFileSync(path)
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    throw new UsageError(`${path} cannot be read (${code ?? 'unknown'}).`)
  }
}

function parseBody(file: string, content: string): Body {
  try {
    const value: unknown = JSON.parse(content)
    if (typeof value === 'object' && value !== null && !Array.isArray(value)) return { ...value }
  } catch {}
  const name = file === '-' ? 'Standard input' : file
  throw new CliError(`${name} is not a JSON object.`, {
    exit: 'usage',
    code: 'usage',
    advice: 'It must have the fields of the post, such as {"text": "The ferry runs again."}',
  })
}
