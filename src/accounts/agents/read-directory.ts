import { directoryLimits, directoryType, findDirectoryKey } from '../../platform/http-signatures/directory.ts'
import { AgentRefusal, type AgentRefusalCode } from '../../platform/http-signatures/refusal.ts'
import type { FetchedDocument, Outbound, OutboundErrorKind } from '../../platform/outbound-http/open-outbound.ts'
import { OutboundError } from '../../platform/outbound-http/open-outbound.ts'

export type DirectoryReader = Pick<Outbound, 'read'>

/** The body of a directory. Throws an `AgentRefusal`. */
export async function readDirectory(outbound: DirectoryReader, url: string): Promise<Buffer> {
  const { status, headers, body } = await fetchDirectory(outbound, url)
  if (status >= 300 && status < 400) throw new AgentRefusal('directory_redirect')
  if (status !== 200) throw new AgentRefusal('directory_status')
  const type = headers['content-type'].split(';')[0]?.trim().toLowerCase()
  if (type !== directoryType) throw new AgentRefusal('directory_content_type')
  return body
}

function fetchDirectory(outbound: DirectoryReader, url: string): Promise<FetchedDocument> {
  const { timeoutMs, maxBytes } = directoryLimits
  return outbound.read(url, { timeoutMs, maxBytes, accept: directoryType }).catch((error) => {
    if (!(error instanceof OutboundError)) throw error
    const isTooLarge = error.code === 'TOO_LARGE'
    throw new AgentRefusal(isTooLarge ? 'directory_too_large' : (refusals[error.kind] ?? 'directory_unreachable'))
  })
}

const refusals: Partial<Record<OutboundErrorKind, AgentRefusalCode>> = {
  bad_url: 'directory_address_refused',
  address_refused: 'directory_address_refused',
  timeout: 'directory_timeout',
  malformed_response: 'directory_malformed',
}

/** The public key with this identifier in a directory, or why there is none. */
export function findAgentKey(body: Buffer, keyId: string): Buffer | AgentRefusalCode {
  try {
    return findDirectoryKey(body, keyId)
  } catch (error) {
    if (error instanceof AgentRefusal) return error.code
    throw error
  }
}

/** A directory that was read and does not have the key. Anything else is a failure to read it, and may pass. */
export const isWithoutKey = (refusal: AgentRefusalCode) =>
  refusal === 'key_not_in_directory' || refusal === 'key_refused'
