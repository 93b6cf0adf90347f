import { type Bytes, concatenate, sha256, toBase64Url, utf8 } from '../bytes.ts'
import { canonicalJson } from '../canonical-json.ts'
import { Refusal } from '../refusal.ts'
import type { Json } from '../strict-json.ts'

const saltBytes = 32

/** What an entry of the log holds in place of a text. Nobody can find the text without the salt. */
export async function commitmentOf(prefix: string, salt: Bytes | undefined, value: Json): Promise<string> {
  if (salt?.length !== saltBytes) throw new Refusal('salt_length')
  const opened = concatenate(utf8(`${prefix}/commit/v1\n`), salt, utf8(canonicalJson(value)))
  return toBase64Url(await sha256(opened))
}

export const committingEntry = (type: 'post' | 'edit' | 'decision', commitment: string): Bytes =>
  utf8(canonicalJson({ c: commitment, t: type, v: 1 }))
