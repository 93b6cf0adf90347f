import { z } from 'zod'
import { domainFile } from '../../contract/domain-limits.ts'
import { type Outbound, OutboundError, type OutboundErrorKind } from '../../platform/outbound-http/open-outbound.ts'
import { type DomainRefusal, fileOf } from './domain-record.ts'

export type FileReader = Pick<Outbound, 'read'>

/** The accounts that a domain lists, or why its file was refused. */
export type DomainFile = ReadonlySet<string> | DomainRefusal

const reading = new WeakMap<FileReader, Map<string, Promise<DomainFile>>>()

/** Reads the file of a domain. Whoever asks while it is being read waits for the same answer. */
export function readDomainFile(outbound: FileReader, domain: string): Promise<DomainFile> {
  const pending = reading.getOrInsertComputed(outbound, () => new Map())
  return pending.getOrInsertComputed(domain, () => fetchFile(outbound, domain).finally(() => pending.delete(domain)))
}

async function fetchFile(outbound: FileReader, domain: string): Promise<DomainFile> {
  try {
    const { status, headers, body } = await outbound.read(fileOf(domain), domainFile)
    if (status >= 300 && status < 400) return 'redirect'
    if (status !== 200) return 'status'
    if (headers['content-type'].split(';')[0]?.trim().toLowerCase() !== 'application/json') return 'content_type'
    return listedIn(body)
  } catch (error) {
    if (!(error instanceof OutboundError)) throw error
    return error.code === 'TOO_LARGE' ? 'too_large' : refusals[error.kind]
  }
}

const refusals: Record<OutboundErrorKind, DomainRefusal> = {
  bad_url: 'address_refused',
  address_refused: 'address_refused',
  name_not_resolved: 'name_not_resolved',
  withdrawn: 'unreachable',
  connection_failed: 'unreachable',
  tls_failed: 'tls_failed',
  connection_broken: 'unreachable',
  timeout: 'timeout',
  malformed_response: 'unreachable',
}

/** A file may have other fields. Only whole identifiers are compared, so their form does not matter. */
const file = z.object({ accounts: z.array(z.string()).max(domainFile.maxAccounts) })

function listedIn(body: Buffer): DomainFile {
  try {
    const text = new TextDecoder('utf-8', { fatal: true }).decode(body)
    return new Set(file.parse(JSON.parse(text)).accounts)
  } catch {
    // The parser's message quotes the file, so it is not repeated.
    return 'malformed'
  }
}

/** Why a domain does not show that this account belongs to it; null if it does. */
export function refusalFor(file: DomainFile, accountId: string): DomainRefusal | null {
  if (typeof file === 'string') return file
  return file.has(accountId) ? null : 'not_listed'
}
